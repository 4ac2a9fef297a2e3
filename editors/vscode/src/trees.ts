// The trees of cards and sessions in the side bar.
import * as path from "node:path";
import * as vscode from "vscode";
import { ask, run } from "./program";

export interface Card {
  id: string;
  title: string;
  status: string;
  priority: string;
  path: string;
  active: boolean;
  broken: boolean;
  blocked_by: string[];
}

interface Session {
  session: string;
  status: string;
  title: string;
  open: boolean;
  card: string | null;
  last_access: string;
}

export const SESSION_SCHEME = "cuedeck-session";

const ICONS: Record<string, string> = {
  active: "play-circle",
  "active card": "target",
  blocked: "circle-slash",
  broken: "warning",
  done: "check",
  archived: "archive",
};

/** A list below the heading of a view, read again when it is told that files changed. */
abstract class List<Row> implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(protected readonly folder: () => string | undefined) {}

  refresh(): void {
    this.changed.fire();
  }

  abstract getTreeItem(row: Row): vscode.TreeItem;

  protected abstract read(folder: string): Promise<Row[]>;

  async getChildren(parent?: Row): Promise<Row[]> {
    const folder = this.folder();
    if (parent !== undefined || folder === undefined) {
      return [];
    }
    try {
      return await this.read(folder);
    } catch {
      return []; // the status bar shows the reason
    }
  }
}

export class Cards extends List<Card> {
  protected async read(folder: string): Promise<Card[]> {
    return (await ask<{ cards: Card[] }>(folder, ["card", "list"])).cards;
  }

  getTreeItem(card: Card): vscode.TreeItem {
    const state = stateOf(card);
    const item = new vscode.TreeItem(card.title || card.id);
    item.id = card.path;
    item.description = state.startsWith(card.status) ? state : `${card.status}, ${state}`;
    item.tooltip = card.blocked_by.length ? `Waits for ${card.blocked_by.join(", ")}` : card.path;
    item.iconPath = new vscode.ThemeIcon(ICONS[state] ?? "circle-outline");
    item.contextValue = card.active ? "activeCard" : "card";
    item.command = openCommand(vscode.Uri.file(path.join(this.folder() ?? "", card.path)));
    return item;
  }
}

export class Sessions extends List<Session> implements vscode.TextDocumentContentProvider {
  /** Return the record of a session, which the editor shows read-only. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    return run(this.folder() ?? "", ["session", "show", path.posix.basename(uri.path, ".json")]);
  }

  protected async read(folder: string): Promise<Session[]> {
    return (await ask<{ sessions: Session[] }>(folder, ["session", "list"])).sessions;
  }

  getTreeItem(session: Session): vscode.TreeItem {
    const item = new vscode.TreeItem(session.title || session.session);
    item.id = session.session;
    item.description = `${session.status}, ${session.last_access.slice(0, 16).replace("T", " ")}`;
    item.tooltip = session.session;
    item.iconPath = new vscode.ThemeIcon(session.open ? "comment-discussion" : "history");
    item.command = openCommand(vscode.Uri.from({ scheme: SESSION_SCHEME, path: `/${session.session}.json` }));
    return item;
  }
}

function stateOf(card: Card): string {
  if (card.broken) {
    return "broken";
  }
  if (card.active) {
    return "active card";
  }
  return card.blocked_by.length ? "blocked" : card.status;
}

function openCommand(uri: vscode.Uri): vscode.Command {
  return { command: "vscode.open", title: "Open", arguments: [uri] };
}
