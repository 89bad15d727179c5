/** The form with which a browser is paired: the code of the terminal, and a name for the device. */
import type { Translate } from '../parts/translate.ts';

/** `pair` resolves with what went wrong; undefined: it is paired. */
export function createPairingForm(
	t: Translate,
	code: string,
	pair: (code: string, name: string) => Promise<string | undefined>,
): HTMLFormElement {
	const form = document.createElement('form');
	form.className = 'web-pairing';
	const heading = document.createElement('h1');
	heading.textContent = t('Pair This Browser');
	const hint = document.createElement('p');
	hint.textContent = t('The code is in the terminal where prowess web runs. Another one: prowess web pair.');
	const codeField = createField(form, t('Pairing code'), { id: 'code', autocomplete: 'one-time-code' });
	codeField.value = code;
	const nameField = createField(form, t('Name of this device'), { id: 'name', autocomplete: 'off' });
	nameField.maxLength = 40;
	const problem = document.createElement('p');
	problem.className = 'web-problem';
	problem.setAttribute('role', 'alert');
	const button = document.createElement('button');
	button.type = 'submit';
	button.className = 'primary';
	button.textContent = t('Pair');
	form.prepend(heading, hint);
	form.append(problem, button);
	form.addEventListener('submit', (event) => {
		event.preventDefault();
		button.disabled = true;
		void pair(codeField.value, nameField.value)
			.catch(() => t('Prowess does not answer. See whether prowess web still runs.'))
			.then((wrong) => {
				problem.textContent = wrong ?? '';
				button.disabled = false;
				if (wrong !== undefined) codeField.focus();
			});
	});
	requestAnimationFrame(() => (code === '' ? codeField : nameField).focus());
	return form;
}

function createField(
	form: HTMLFormElement,
	words: string,
	{ id, autocomplete }: { readonly id: string; readonly autocomplete: AutoFill },
): HTMLInputElement {
	const label = document.createElement('label');
	label.htmlFor = id;
	label.textContent = words;
	const field = document.createElement('input');
	Object.assign(field, { id, name: id, required: true, autocomplete, spellcheck: false });
	form.append(label, field);
	return field;
}
