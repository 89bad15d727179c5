/** Asks for the params of a capability, one input after the other, with a way back. What is typed is checked before it is taken. */
import * as vscode from 'vscode';
import { DisposableStore } from '../../../base/disposable.ts';
import type { CapabilityInput } from '../../../protocol/manifest.ts';
import { type ParamProblem, readParam, textOfParam } from '../texts/param-text.ts';

export type Params = Readonly<Record<string, unknown>>;

interface Step {
	readonly title: string;
	readonly input: CapabilityInput;
	readonly at: number;
	readonly count: number;
	/** Shown first: what was answered before, else the default. */
	readonly value: unknown;
}

type Answer = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'back' } | undefined;

/** Undefined: the user went away. `kept` are the answers of the last time. */
export async function askParams(
	title: string,
	inputs: readonly CapabilityInput[],
	kept: Params,
): Promise<Params | undefined> {
	const answers = new Map(Object.entries(kept));
	for (let at = 0; at < inputs.length;) {
		const input = inputs[at];
		if (input === undefined) break;
		const value = answers.get(input.name) ?? input.default;
		const step = { title, input, at, count: inputs.length, value };
		const answer = await (input.type === 'boolean' ? askChoice(step) : askText(step));
		if (answer === undefined) {
			return undefined;
		}
		if (answer.kind === 'value') {
			answers.set(input.name, answer.value);
		}
		at += answer.kind === 'back' ? -1 : 1;
	}
	const given = inputs.map(({ name }) => [name, answers.get(name)] as const);
	return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function askText(step: Step): Promise<Answer> {
	const { input, value } = step;
	const box = vscode.window.createInputBox();
	box.value = textOfParam(value);
	box.prompt = promptOf(input);
	box.placeholder = placeholderOf(input);
	const problem = (): string | undefined => {
		const read = readParam(input, box.value);
		return 'problem' in read ? sentences[read.problem](read.detail) : undefined;
	};
	return shown(box, step, (answer, store) => {
		store.add(
			box.onDidChangeValue(() => {
				box.validationMessage = box.value === '' ? undefined : problem();
			}),
		);
		store.add(
			box.onDidAccept(() => {
				const read = readParam(input, box.value);
				if ('problem' in read) {
					box.validationMessage = sentences[read.problem](read.detail);
				} else {
					answer({ kind: 'value', value: read.value });
				}
			}),
		);
	});
}

type ChoiceItem = vscode.QuickPickItem & { readonly value: boolean | undefined };

function askChoice(step: Step): Promise<Answer> {
	const { input, value } = step;
	const pick = vscode.window.createQuickPick<ChoiceItem>();
	pick.items = [
		{ label: vscode.l10n.t('Yes'), value: true },
		{ label: vscode.l10n.t('No'), value: false },
		...(input.required || input.default !== undefined ? [] : [{ label: vscode.l10n.t('Leave out'), value: undefined }]),
	];
	pick.activeItems = pick.items.filter((item) => item.value === value);
	pick.placeholder = promptOf(input);
	return shown(pick, step, (answer, store) => {
		store.add(
			pick.onDidAccept(() => {
				const [item] = pick.activeItems;
				if (item !== undefined) answer({ kind: 'value', value: item.value });
			}),
		);
	});
}

/** Shows the input until it is answered or gone. */
function shown(
	widget: vscode.InputBox | vscode.QuickPick<ChoiceItem>,
	{ title, at, count }: Step,
	listen: (answer: (answer: Answer) => void, store: DisposableStore) => void,
): Promise<Answer> {
	const store = new DisposableStore();
	store.add(widget);
	widget.title = title;
	widget.step = at + 1;
	widget.totalSteps = count;
	widget.ignoreFocusOut = true;
	widget.buttons = at === 0 ? [] : [vscode.QuickInputButtons.Back];
	return new Promise<Answer>((resolve) => {
		listen(resolve, store);
		store.add(widget.onDidTriggerButton(() => resolve({ kind: 'back' })));
		store.add(widget.onDidHide(() => resolve(undefined)));
		widget.show();
	}).finally(() => store.dispose());
}

function promptOf({ name, description, required }: CapabilityInput): string {
	const what = description === undefined || description === '' ? name : `${name}: ${description}`;
	return required ? what : vscode.l10n.t('{0} (optional)', what);
}

function placeholderOf({ type }: CapabilityInput): string {
	switch (type) {
		case 'array':
			return vscode.l10n.t('A JSON list, for example ["a", "b"]');
		case 'object':
			return vscode.l10n.t('A JSON object, for example {"a": 1}');
		case 'number':
			return vscode.l10n.t('A number');
		default:
			return '';
	}
}

const sentences: { readonly [P in ParamProblem]: (detail: string) => string } = {
	missing: () => vscode.l10n.t('Required.'),
	notNumber: () => vscode.l10n.t('Enter a number, for example 12 or 0.5.'),
	notJson: (detail) => vscode.l10n.t('Not valid JSON: {0}', detail),
	notArray: () => vscode.l10n.t('Enter a JSON list, for example ["a", "b"].'),
	notObject: () => vscode.l10n.t('Enter a JSON object, for example {"a": 1}.'),
};
