/**
 * Steps of the walkthrough that the user has taken, whatever the way. VS Code ticks a step when its context becomes true,
 * but only once it has read the steps of ours, which it begins to when a page of walkthroughs is first shown, and it tells
 * nobody when it has. So they are told again whenever a page is opened, and some moments later.
 */
import * as vscode from 'vscode';
import type { LogPort } from '../../contract/ports/ports.ts';
import type { EditorCommandId } from '../editor/command-table.ts';
import { extensionLimits } from '../editor/limits.ts';
import { setContext } from '../editor/set-context.ts';

const WALKTHROUGH_STEPS = ['tour', 'connect', 'ask', 'approve', 'review', 'capabilities', 'ledger'] as const;
type WalkthroughStep = (typeof WALKTHROUGH_STEPS)[number];

const KEY = 'walkthrough';

/** Commands that take a step by themselves. */
const byCommand: { readonly [C in EditorCommandId]?: WalkthroughStep } = {
	'prowess.showChanges': 'review',
	'prowess.showChange': 'review',
	'prowess.keepChanges': 'review',
	'prowess.undoChanges': 'review',
	'prowess.runCapability': 'capabilities',
	'prowess.newCapability': 'capabilities',
	'prowess.showLedger': 'ledger',
};

export class Walkthrough {
	readonly #log: LogPort;
	readonly #kept: vscode.Memento;
	readonly #taken: Set<WalkthroughStep>;
	#later: readonly NodeJS.Timeout[] = [];
	readonly #tabs = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
		// The page of walkthroughs has no kind that extensions are told, however it was opened.
		if (opened.some(({ input }) => input === undefined)) {
			this.#tickWhileItOpens();
		}
	});

	/** `kept`: of this user, for later windows. */
	constructor(log: LogPort, kept: vscode.Memento) {
		this.#log = log;
		this.#kept = kept;
		const known = new Set<unknown>(kept.get<readonly unknown[]>(KEY, []));
		this.#taken = new Set(WALKTHROUGH_STEPS.filter((step) => known.has(step)));
	}

	take(step: WalkthroughStep): void {
		if (this.#taken.has(step)) {
			return;
		}
		this.#taken.add(step);
		this.#tick(step);
		this.#kept.update(KEY, [...this.#taken]).then(undefined, (error: unknown) => {
			this.#log.warn('walkthrough not stored', { error: String(error) });
		});
	}

	takeBy(command: EditorCommandId): void {
		const step = byCommand[command];
		if (step !== undefined) {
			this.take(step);
		}
	}

	async show(id: string): Promise<void> {
		await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
		this.#tickWhileItOpens();
	}

	dispose(): void {
		this.#forgetLater();
		this.#tabs.dispose();
	}

	#tickWhileItOpens(): void {
		this.#forgetLater();
		this.#tickAll();
		this.#later = extensionLimits.walkthroughTicksMs.map((ms) => setTimeout(() => this.#tickAll(), ms));
	}

	#forgetLater(): void {
		for (const timer of this.#later) {
			clearTimeout(timer);
		}
		this.#later = [];
	}

	#tickAll(): void {
		for (const step of this.#taken) {
			this.#tick(step);
		}
	}

	/** A pulse: VS Code never ticks a step whose context is already true when it gets to know the walkthrough. */
	#tick(step: WalkthroughStep): void {
		setContext(this.#log, `did.${step}`, true);
		setContext(this.#log, `did.${step}`, false);
	}
}
