// The status bar: the active card and how much of the limit its scene takes.
import * as vscode from "vscode";
import { ask, NoProgram, Refused } from "./program";

export type State = "ready" | "no workspace" | "no program";

const MISSING_WORKSPACE = 1011;
const NO_ACTIVE_CARD = 1013;

interface Scene {
  card: string;
  title: string;
  tokens: number;
  budget: number;
  left_out: unknown[];
  unresolved: unknown[];
}

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("cuedeck", vscode.StatusBarAlignment.Left, 20);
  private asked = 0;
  /** Why the program cannot be used; undefined if it answered. */
  problem?: NoProgram;
  /** Path of the card whose scene is shown; empty without one. */
  card = "";

  constructor(private readonly folder: () => string | undefined) {
    this.item.name = "CueDeck";
  }

  /** Ask for the scene of the active card and show its cost. */
  async refresh(): Promise<State> {
    const number = ++this.asked;
    const state = await this.read();
    if (number === this.asked) {
      await vscode.commands.executeCommand("setContext", "cuedeck.state", state);
    }
    return state;
  }

  dispose(): void {
    this.item.dispose();
  }

  private async read(): Promise<State> {
    this.problem = undefined;
    this.card = "";
    const folder = this.folder();
    if (folder === undefined) {
      this.item.hide();
      return "no workspace";
    }
    try {
      this.show(await ask<Scene>(folder, ["scene", "--dry-run"]));
      return "ready";
    } catch (error) {
      return this.explain(error);
    }
  }

  private show(scene: Scene): void {
    const share = `${scene.tokens.toLocaleString("en")} of ${scene.budget.toLocaleString("en")} tokens`;
    const lacks = scene.unresolved.length;
    this.card = scene.card;
    this.item.text = `$(${lacks ? "warning" : "target"}) ${scene.title || "no card"}: ${share}`;
    const left = scene.left_out.length ? `, ${scene.left_out.length} files left out` : "";
    this.item.tooltip = `Scene of the active card${left}${lacks ? `, ${lacks} refs lead nowhere` : ""}`;
    this.item.command = "cuedeck.showScene";
    this.item.show();
  }

  private explain(error: unknown): State {
    if (error instanceof NoProgram) {
      this.problem = error;
      this.item.text = `$(error) ${error.summary}`;
      this.item.tooltip = error.message;
      this.item.command = {
        command: "workbench.action.openWalkthrough",
        title: "Install",
        arguments: ["cuedeck.cuedeck#first"],
      };
      this.item.show();
      return "no program";
    }
    if (error instanceof Refused && error.code === MISSING_WORKSPACE) {
      this.item.hide();
      return "no workspace";
    }
    const hint = error instanceof Refused ? error.hint : "";
    const hasNoCard = error instanceof Refused && error.code === NO_ACTIVE_CARD;
    this.item.text = hasNoCard ? "$(target) no active card" : "$(warning) CueDeck";
    this.item.tooltip = [error instanceof Error ? error.message : String(error), hint].filter(Boolean).join("\n");
    this.item.command = "cuedeck.activateCard";
    this.item.show();
    return "ready";
  }
}
