/**
 * *Test a Rule* shows as a document what the gate would decide about an op. No op is carried out, asked about or
 * recorded.
 */
import * as vscode from 'vscode';
import { withTimeLimit } from '../../base/time/bounded-wait.ts';
import { explanationText, rulesText } from '../../trust/gate/policy/workspace/policy-text.ts';
import type { TrustedBase } from '../../host/trusted-base.ts';
import { extensionLimits } from '../editor/limits.ts';

export class RuleTest {
	readonly #base: () => Promise<TrustedBase>;
	#question = '';

	constructor(base: () => Promise<TrustedBase>) {
		this.#base = base;
	}

	/** `prefilled` instead of what was asked last. False when the user did not want to know. */
	async ask(prefilled: string | undefined): Promise<boolean> {
		const question = await vscode.window.showInputBox({
			title: vscode.l10n.t('Test a Rule'),
			prompt: vscode.l10n.t('An op and its path, command or JSON params'),
			placeHolder: 'shell.run git push --force',
			value: prefilled ?? this.#question,
		});
		if (question === undefined || question.trim() === '') {
			return false;
		}
		this.#question = question;
		return true;
	}

	async text(): Promise<string> {
		const { policy } = await this.#base();
		return withTimeLimit({ what: 'testing a rule', timeoutMs: extensionLimits.doctorCheckMs }, async (signal) => {
			const rules = rulesText(await policy.rules(signal));
			return this.#question === ''
				? rules
				: `${explanationText(await policy.explain(this.#question, signal))}\n${rules}`;
		});
	}
}
