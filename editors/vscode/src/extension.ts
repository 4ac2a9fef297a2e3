// CueDeck in Visual Studio Code: the language server, and what people look at.
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import { ask, findProgram, NoProgram, Refused, run } from "./program";
import { Status } from "./status";
import { Card, Cards, Sessions } from "./trees";

const SCENE = ".cuedeck/SCENE.md";
const SETTLE_MS = 200; // a save writes several files
const LANGUAGES = ["markdown", "python", "javascript", "javascriptreact", "typescript", "typescriptreact", "go", "rust"];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const status = new Status(currentFolder);
  const cards = new Cards(currentFolder);
  const sessions = new Sessions(currentFolder);
  const refresh = async (): Promise<void> => {
    await status.refresh();
    cards.refresh();
    sessions.refresh();
  };
  const later = delayed(() => void refresh());
  const files = vscode.workspace.createFileSystemWatcher("**/.cuedeck/{SCENE.md,active,cards/**,sessions/**}");
  files.onDidChange(later);
  files.onDidCreate(later);
  files.onDidDelete(later);

  const restart = async (): Promise<void> => {
    await stop();
    if ((await status.refresh()) !== "no program") {
      await start();
    }
    await refresh();
  };
  const command = (name: string, act: (...given: any[]) => Promise<unknown>) =>
    vscode.commands.registerCommand(`cuedeck.${name}`, async (...given) => {
      try {
        await act(...given);
      } catch (error) {
        await report(error);
      }
    });
  context.subscriptions.push(
    status,
    files,
    vscode.window.registerTreeDataProvider("cuedeck.cards", cards),
    vscode.window.registerTreeDataProvider("cuedeck.sessions", sessions),
    vscode.window.onDidChangeActiveTextEditor(later),
    vscode.workspace.onDidChangeWorkspaceFolders(later),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("cuedeck.path")) {
        void restart();
      }
    }),
    vscode.tasks.registerTaskProvider("cuedeck", { provideTasks: tasks, resolveTask: taskOf }),
    command("showScene", showScene),
    command("newCard", async () => {
      await newCard();
      await refresh();
    }),
    command("activateCard", async (card?: Card) => {
      await onCard("activate", card);
      await refresh();
    }),
    command("finishCard", async (card?: Card) => {
      await onCard("done", card);
      await refresh();
    }),
    command("remember", remember),
    command("openPage", async () => openPage()),
    command("initialise", async () => {
      await initialise();
      await restart();
    }),
    command("restart", restart),
    command("refresh", refresh),
  );
  await restart();
}

export function deactivate(): Promise<void> {
  return stop();
}

// --- the language server

async function start(): Promise<void> {
  const server = { command: findProgram(), args: ["lsp"], transport: TransportKind.stdio };
  const documentSelector = [
    ...LANGUAGES.map((language) => ({ scheme: "file", language })),
    { scheme: "file", pattern: "**/.cuedeck/assumptions.toml" },
  ];
  client = new LanguageClient("cuedeck", "CueDeck", server, { documentSelector });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const old = `${server.command} has no language server: update CueDeck (${String(error)})`;
    await vscode.window.showErrorMessage(old);
  }
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop().catch(() => undefined); // it may have ended already
}

// --- commands

/** Show SCENE.md in the Markdown preview, which follows the file, on the other side of the editor. */
async function showScene(): Promise<void> {
  const folder = neededFolder();
  const scene = vscode.Uri.file(path.join(folder, SCENE));
  try {
    await vscode.workspace.fs.stat(scene);
  } catch {
    await ask(folder, ["scene"]);
  }
  await vscode.commands.executeCommand("markdown.showPreviewToSide", scene);
}

/** Create a card; selected code becomes its ref, selected prose its text. */
async function newCard(): Promise<void> {
  const folder = neededFolder();
  const editor = vscode.window.activeTextEditor;
  const title = await vscode.window.showInputBox({ prompt: "Title of the card", placeHolder: "Fix login" });
  if (!title?.trim()) {
    return;
  }
  const words = ["card", "new", "--activate"];
  let body = "";
  if (editor && !editor.selection.isEmpty) {
    const file = path.relative(folder, editor.document.uri.fsPath);
    if (editor.document.languageId === "markdown" || file.startsWith("..") || path.isAbsolute(file)) {
      body = editor.document.getText(editor.selection);
    } else {
      const { start, end } = editor.selection;
      words.push("--ref", `${file.split(path.sep).join("/")}#L${start.line + 1}-L${end.line + 1}`);
    }
  }
  if (body) {
    words.push("--body", "-");
  }
  const made = await ask<{ path: string }>(folder, [...words, "--", title], body);
  await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, made.path)));
}

/** Run an operation on a card: the chosen one of the tree, that of the editor, or one that the person picks. */
async function onCard(operation: string, card?: Card): Promise<void> {
  const folder = neededFolder();
  const id = card?.id ?? (await pickCard(folder));
  if (id) {
    await ask(folder, ["card", operation, id]);
  }
}

async function pickCard(folder: string): Promise<string | undefined> {
  const { cards } = await ask<{ cards: Card[] }>(folder, ["card", "list"]);
  const shown = vscode.window.activeTextEditor?.document.uri.fsPath;
  const rows = cards.map((card) => ({ label: card.title || card.id, description: card.status, card }));
  rows.sort((a, b) => Number(isShown(b.card)) - Number(isShown(a.card)));
  const picked = await vscode.window.showQuickPick(rows, { placeHolder: "Card" });
  return picked?.card.id;

  function isShown(card: Card): boolean {
    return shown === path.join(folder, card.path);
  }
}

async function remember(): Promise<void> {
  const folder = neededFolder();
  const editor = vscode.window.activeTextEditor;
  const selected = editor ? editor.document.getText(editor.selection).trim() : "";
  const text = selected || (await vscode.window.showInputBox({ prompt: "Text to remember" }));
  if (!text?.trim()) {
    return;
  }
  await ask(folder, ["remember", "-"], text);
  vscode.window.setStatusBarMessage("$(check) CueDeck remembers the text", 4000);
}

/** Serve the page in a terminal, whose end ends it. */
function openPage(): void {
  const terminal = vscode.window.createTerminal({
    name: "CueDeck page",
    cwd: neededFolder(),
    shellPath: findProgram(),
    shellArgs: ["web"],
  });
  terminal.show(true);
}

async function initialise(): Promise<void> {
  const folder = currentFolder();
  if (folder === undefined) {
    await vscode.commands.executeCommand("vscode.openFolder");
    return;
  }
  await run(folder, ["init"]);
}

// --- tasks

function tasks(): vscode.Task[] {
  return ["doctor", "scene"].map((name) => taskOf(definedTask(name)));
}

function definedTask(command: string): vscode.Task {
  return new vscode.Task({ type: "cuedeck", command }, vscode.TaskScope.Workspace, command, "cuedeck");
}

function taskOf(task: vscode.Task): vscode.Task {
  const words = String(task.definition.command).split(/\s+/);
  const execution = new vscode.ProcessExecution(findProgram(), words);
  return new vscode.Task(
    task.definition,
    task.scope ?? vscode.TaskScope.Workspace,
    task.name,
    "cuedeck",
    execution,
    "$cuedeck",
  );
}

// --- helpers

/** Return the folder of the file in the editor, else the first folder. */
function currentFolder(): string | undefined {
  const shown = vscode.window.activeTextEditor?.document.uri;
  const folder = shown && vscode.workspace.getWorkspaceFolder(shown);
  return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
}

function neededFolder(): string {
  const folder = currentFolder();
  if (folder === undefined) {
    throw new Refused("no folder is open", "open the folder of your project", 0);
  }
  return folder;
}

function delayed(act: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, SETTLE_MS);
  };
}

async function report(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof NoProgram) {
    const install = "How to Install";
    if ((await vscode.window.showErrorMessage(message, install)) === install) {
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", "cuedeck.cuedeck#first");
    }
    return;
  }
  const hint = error instanceof Refused && error.hint ? ` (${error.hint})` : "";
  await vscode.window.showErrorMessage(`CueDeck: ${message}${hint}`);
}
