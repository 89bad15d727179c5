/** A line of text that is tried before the box closes: what is wrong with it is said there, and what was typed stays. */
import * as vscode from 'vscode';

interface CheckedInput<T> {
	readonly title: string;
	readonly prompt: string;
	readonly placeholder?: string;
	readonly value?: string;
	readonly isPassword?: boolean;
	/** Fault of the text as it is typed. */
	validate?(text: string): string | vscode.InputBoxValidationMessage | undefined;
	/** Uses the text. Rejects with what is wrong with it; the signal aborts when the box is closed. */
	attempt(text: string, signal: AbortSignal): Promise<T>;
	/** Words for what `attempt` rejected with. */
	sentence(error: unknown): string;
}

export type Entered<T> = { readonly kind: 'entered'; readonly value: T } | { readonly kind: 'back' | 'closed' };

export function enterChecked<T>(input: CheckedInput<T>): Promise<Entered<T>> {
	const box = vscode.window.createInputBox();
	const closed = new AbortController();
	const { title, prompt, placeholder = '', value = '', isPassword = false } = input;
	Object.assign(box, { title, prompt, placeholder, value, password: isPassword, ignoreFocusOut: true });
	box.buttons = [vscode.QuickInputButtons.Back];
	const findFault = (text: string) => input.validate?.(text);
	return new Promise<Entered<T>>((resolve) => {
		const closeBox = (entered: Entered<T>) => {
			resolve(entered);
			closed.abort();
			box.dispose();
		};
		const attemptInput = async () => {
			const fault = findFault(box.value);
			const isRefused =
				typeof fault === 'string' ||
				(fault !== undefined && fault.severity === vscode.InputBoxValidationSeverity.Error);
			if (box.busy || isRefused) {
				box.validationMessage = fault;
				return;
			}
			box.busy = true;
			box.enabled = false;
			box.validationMessage = undefined;
			try {
				closeBox({ kind: 'entered', value: await input.attempt(box.value, closed.signal) });
			} catch (error) {
				if (!closed.signal.aborted) {
					box.busy = false;
					box.enabled = true;
					box.validationMessage = input.sentence(error);
				}
			}
		};
		box.onDidChangeValue((text) => {
			box.validationMessage = findFault(text);
		});
		box.onDidAccept(() => void attemptInput());
		box.onDidTriggerButton(() => closeBox({ kind: 'back' }));
		box.onDidHide(() => closeBox({ kind: 'closed' }));
		box.show();
	});
}
