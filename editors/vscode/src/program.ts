// The program `cuedeck`: where it is, and its answers as JSON.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

const NAME = process.platform === "win32" ? "cuedeck.exe" : "cuedeck";
const SECONDS = 30;
const USAGE = 2; // exit code for an unknown command or option

/** An error that CueDeck itself reported. */
export class Refused extends Error {
  constructor(message: string, readonly hint: string, readonly code: number) {
    super(message);
  }
}

/** The program is missing, cannot be started, or is older than the extension. */
export class NoProgram extends Error {
  constructor(message: string, readonly summary: string) {
    super(message);
  }
}

/** Return the path of the program: from the settings, else of the folder's virtual environment, else of PATH, else of pipx. */
export function findProgram(): string {
  const chosen = vscode.workspace.getConfiguration("cuedeck").get<string>("path", "").trim();
  if (chosen) {
    return chosen;
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    for (const part of ["bin", "Scripts"]) {
      const place = path.join(folder.uri.fsPath, ".venv", part, NAME);
      if (existsSync(place)) {
        return place;
      }
    }
  }
  const places = (process.env.PATH ?? "").split(path.delimiter);
  const pipx = path.join(homedir(), ".local", "bin"); // on PATH only after `pipx ensurepath`
  const isOnPath = places.some((place) => existsSync(path.join(place, NAME)));
  return !isOnPath && existsSync(path.join(pipx, NAME)) ? path.join(pipx, NAME) : NAME;
}

/** Run the program in a folder and return its output. Throws NoProgram, Refused. */
export function run(folder: string, words: string[], input = ""): Promise<string> {
  const program = findProgram();
  return new Promise((resolve, reject) => {
    const limits = { cwd: folder, timeout: SECONDS * 1000, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(program, words, limits, (error, output, complaints) => {
      if (!error) {
        resolve(output);
      } else if (error.killed) {
        reject(new Refused(`cuedeck did not answer within ${SECONDS} seconds`, "see `cuedeck doctor`", 0));
      } else if (typeof error.code !== "number") {
        const reason = existsSync(folder) && String(error.code) === "ENOENT" ? "was not found" : error.message;
        reject(new NoProgram(`The program ${program} ${reason}.`, "CueDeck is not installed"));
      } else {
        reject(refusal(program, error.code, output, complaints));
      }
    });
    child.stdin?.on("error", () => undefined); // it ended without reading
    child.stdin?.end(input);
  });
}

/** Run the program with `--json` in a folder. Throws NoProgram, Refused. */
export async function ask<Answer>(folder: string, words: string[], input = ""): Promise<Answer> {
  const [first, ...rest] = words;
  const at = rest.indexOf("--");
  const options = at < 0 ? [...rest, "--json"] : [...rest.slice(0, at), "--json", ...rest.slice(at)];
  return JSON.parse(await run(folder, [first, ...options], input)) as Answer;
}

function refusal(program: string, exitCode: number, output: string, complaints: string): Error {
  try {
    const { message, hint, code } = JSON.parse(output).error;
    return new Refused(message, hint ?? "", code);
  } catch {
    if (exitCode === USAGE) {
      return new NoProgram(`The program ${program} is older than the extension. Update it.`, "CueDeck needs an update");
    }
    return new Refused(complaints.trim() || "cuedeck ended with an error", "", 0);
  }
}
