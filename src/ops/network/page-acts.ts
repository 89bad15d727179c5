/** Words for acts on a page, and what is wrong with one before anything is done. */
import { cutText } from '../../base/text/one-line.ts';
import type { FoundElement } from '../../machine/browser/thread-browser.ts';
import { isHere } from '../../machine/http/server-here.ts';
import type { TargetUrl } from '../../machine/http/target-url.ts';
import { ProwessError } from '../../protocol/errors/errors.ts';
import type { OpParams } from '../../protocol/op-table/ops.ts';
import { type Text, text } from '../../protocol/text/text.ts';
import { refuseOpenSecret } from './sent-secrets.ts';

/** Most characters of a title. */
export const TITLE_CHARS = 200;

/** The act in words of the page, in place of references, without what is typed into a field for passwords. */
export function titleAct({ act, text: given = '', secret }: OpParams<'browser.act'>, found?: FoundElement): Text {
	const what = found?.words ?? '';
	const typed = found?.isForPassword === true && act === 'type' ? '•••' : cutText(given, TITLE_CHARS);
	switch (act) {
		case 'click':
			return text('Click {what}', { what });
		case 'hover':
			return text('Point at {what}', { what });
		case 'type':
			return secret === undefined
				? text('Type {typed} into {what}', { typed, what })
				: text('Type the secret {name} into {what}', { name: secret, what });
		case 'press':
			return what === ''
				? text('Press {typed} in the browser', { typed })
				: text('Press {typed} in {what}', { typed, what });
		case 'select':
			return text('Choose {typed} in {what}', { typed, what });
		case 'back':
			return text('Go back in the browser');
		case 'close':
			return text('Close the browser');
	}
}

export function refuseWrongAct({ act, ref, text: given, secret }: OpParams<'browser.act'>): void {
	const needsRef = act !== 'press' && act !== 'back';
	const needsText = act === 'type' || act === 'select' || act === 'press';
	if (needsRef && ref === undefined) {
		throw new ProwessError('INVALID_PARAMS', `${act} needs the ref of an element, as the last look has it`, {});
	}
	if (needsText && (given === undefined) === (secret === undefined)) {
		throw new ProwessError('INVALID_PARAMS', `${act} needs a text${act === 'type' ? ', or a secret' : ''}`, {});
	}
	if (secret !== undefined && act !== 'type') {
		throw new ProwessError('INVALID_PARAMS', `a secret can only be typed, not used to ${act}`, {});
	}
}

export function refuseWrongSecret(
	found: FoundElement | undefined,
	target: TargetUrl,
	allowed: readonly string[],
): void {
	if (found?.isForPassword !== true) {
		const message = 'a secret is typed only into a field for passwords, which shows no text';
		throw new ProwessError('INVALID_PARAMS', message, {
			said: text('A secret is typed only into a field for passwords.'),
		});
	}
	if (!isHere(target)) refuseOpenSecret(allowed, target);
}

export function pagesClosedError(): ProwessError {
	return new ProwessError('INVALID_STATE', 'the browser has been closed. Open the page again with browser_open', {
		said: text('No page is open in the browser.'),
	});
}

export function pageChangedError(): ProwessError {
	return new ProwessError('INVALID_STATE', 'the page has changed since it was looked at. Look again', {
		said: text('The page has changed meanwhile.'),
	});
}

/** Commands of the agent would read it, or the page around the one that asks for it. */
export function innerSecretError(): ProwessError {
	const message =
		'the page was opened from a command of the agent in its sandbox, which is given no secret. Type a made-up password, or open a page elsewhere by itself';
	return new ProwessError('INVALID_PARAMS', message, {
		said: text('A command of the agent serves this page, so no stored secret is typed into it.'),
	});
}
