// CueDeck in Visual Studio Code: the language server, and what people look at.
import * as path from "node:path";
import * as vscode from "vscode";
import { LanguageClient, Middleware, ShowMessageRequest, ShowMessageRequestParams } from "vscode-languageclient/node";
import { ask, findProgram, NoProgram, Refused, run } from "./program";
import { State, Status } from "./status";
import { Card, Cards, SESSION_SCHEME, Sessions } from "./trees";

const SCENE = ".cuedeck/SCENE.md";
const PREVIEW = "vscode.markdown.preview.editor"; // that of one file; the common preview would change to another file
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
  const files = vscode.workspace.createFileSystemWatcher("**/.cuedeck/{SCENE.md,active,config.toml,cards/**,sessions/**}");
  files.onDidChange(later);
  files.onDidCreate(later);
  files.onDidDelete(later);

  const restart = async (): Promise<State> => {
    await stop();
    const state = await status.refresh();
    if (state !== "no program") {
      await start(context.workspaceState);
    }
    cards.refresh();
    sessions.refresh();
    return state;
  };
  const restartAsked = async (): Promise<void> => {
    // A second key, because a step of the walkthrough ignores a condition that was already true.
    await vscode.commands.executeCommand("setContext", "cuedeck.asked", await restart());
    if (status.problem) {
      throw status.problem;
    }
  };
  let folder = currentFolder();
  const follow = (): void => {
    if (folder !== currentFolder()) {
      folder = currentFolder();
      later();
    }
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
    vscode.workspace.registerTextDocumentContentProvider(SESSION_SCHEME, sessions),
    vscode.window.onDidChangeActiveTextEditor(follow),
    vscode.workspace.onDidChangeWorkspaceFolders(later),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("cuedeck.path")) {
        void restart();
      }
    }),
    vscode.tasks.registerTaskProvider("cuedeck", { provideTasks: tasks, resolveTask: taskOf }),
    command("showScene", async () => {
      await showScene();
      await offerShownCard(status.card);
    }),
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
      await restartAsked();
    }),
    command("restart", restartAsked),
    command("refresh", refresh),
  );
  await restart();
}

export function deactivate(): Promise<void> {
  return stop();
}

// --- the language server

async function start(shown: vscode.Memento): Promise<void> {
  const server = { command: findProgram(), args: ["lsp"] };
  const documentSelector = [
    ...LANGUAGES.map((language) => ({ scheme: "file", language })),
    { scheme: "file", pattern: "**/.cuedeck/assumptions.toml" },
  ];
  const options = { documentSelector, middleware: { provideCompletionItem, provideInlayHints, executeCommand } };
  try {
    await run(currentFolder() ?? process.cwd(), ["lsp", "--help"]);
    client = new LanguageClient("cuedeck", "CueDeck", server, options);
    client.onRequest(ShowMessageRequest.type, (offer) => showOnce(offer, shown));
    await client.start();
  } catch (error) {
    client = undefined;
    void report(error);
  }
}

/** Show the server's offer to create a workspace, but only the first time that this folder is open. */
async function showOnce(offer: ShowMessageRequestParams, shown: vscode.Memento) {
  if (shown.get(offer.message)) {
    return null;
  }
  await shown.update(offer.message, true);
  return (await vscode.window.showInformationMessage(offer.message, ...(offer.actions ?? []))) ?? null;
}

/** Show the title of each candidate in its row: many cards have ids for names. */
const provideCompletionItem: Middleware["provideCompletionItem"] = async (document, at, context, token, next) => {
  const found = await next(document, at, context, token);
  const items = Array.isArray(found) ? found : (found?.items ?? []);
  for (const item of items) {
    if (item.detail && typeof item.label === "string") {
      item.label = { label: item.label, description: item.detail };
    }
  }
  return found;
};

/** Leave out the cost of a card, which the code lens shows already. */
const provideInlayHints: Middleware["provideInlayHints"] = (document, range, token, next) =>
  document.languageId === "markdown" ? [] : next(document, range, token);

/** Save the cards before a command of a code lens changes them on disk. */
const executeCommand: Middleware["executeCommand"] = async (command, given, next) => {
  await saveCards();
  return next(command, given);
};

async function saveCards(): Promise<void> {
  const open = vscode.workspace.textDocuments;
  const changed = open.filter((document) => document.isDirty && document.uri.path.includes("/.cuedeck/cards/"));
  await Promise.all(changed.map((document) => document.save()));
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop().catch(() => undefined); // it may have ended already
}

// --- commands

/** Show SCENE.md in a Markdown preview to the side, which follows the file; the editor stays in focus. */
async function showScene(): Promise<void> {
  const folder = neededFolder();
  const scene = vscode.Uri.file(path.join(folder, SCENE));
  try {
    await vscode.workspace.fs.stat(scene);
  } catch {
    await ask(folder, ["scene"]);
  }
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.find(({ input }) => input instanceof vscode.TabInputCustom && input.uri.fsPath === scene.fsPath);
  const viewColumn = shown?.group.viewColumn ?? vscode.ViewColumn.Beside;
  const how = { viewColumn, preserveFocus: true };
  await vscode.commands.executeCommand("vscode.openWith", scene, PREVIEW, how);
}

/** Offer to activate the card in the editor, if the scene is that of another one. */
async function offerShownCard(active: string): Promise<void> {
  const folder = neededFolder();
  const file = path.relative(folder, vscode.window.activeTextEditor?.document.uri.fsPath ?? "");
  const shown = file.split(path.sep).join("/");
  if (!shown.startsWith(".cuedeck/cards/") || shown === active) {
    return;
  }
  const activate = "Activate this Card";
  const message = "The scene is that of the active card, which is another one.";
  if ((await vscode.window.showInformationMessage(message, activate)) === activate) {
    await saveCards();
    await ask(folder, ["card", "activate", shown]);
  }
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
      const last = end.character || end.line === start.line ? end.line + 1 : end.line;
      words.push("--ref", `${file.split(path.sep).join("/")}#L${start.line + 1}-L${last}`);
    }
  }
  if (body) {
    words.push("--body", "-");
  }
  const made = await ask<{ path: string }>(folder, [...words, "--", title], body);
  await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, made.path)), { preview: false });
}

/** Run an operation on the chosen card of the tree, or on one that the person picks. */
async function onCard(operation: string, card?: Card): Promise<void> {
  const folder = neededFolder();
  const id = card?.id ?? (await pickCard(folder));
  if (id) {
    await saveCards();
    await ask(folder, ["card", operation, id]);
  }
}

async function pickCard(folder: string): Promise<string | undefined> {
  const { cards } = await ask<{ cards: Card[] }>(folder, ["card", "list"]);
  if (cards.length === 0) {
    await newCard();
    return undefined;
  }
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
  const unwrapped = text.replace(/[ \t]*\r?\n[ \t]*(?![\s*+\-\d]|$)/g, " "); // each line becomes a record
  await run(folder, ["remember", "-"], unwrapped);
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
