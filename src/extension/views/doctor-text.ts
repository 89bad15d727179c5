/** The report of the doctor, as Markdown. Details are quoted as code: some of them come from other programs, in English. */
import { type Text, text, type Translation, translateText } from '../../protocol/text/text.ts';

export interface DoctorCheck {
	readonly name: Text | string;
	/** `undefined`: information only. */
	readonly ok: boolean | undefined;
	readonly detail: Text | string;
}

export function doctorText(
	groups: readonly { readonly title: Text; readonly checks: readonly DoctorCheck[] }[],
	translate: Translation,
): string {
	const translateWords = (words: Text | string) =>
		typeof words === 'string' ? words : translateText(words, translate);
	const bad = groups.flatMap(({ checks }) => checks).filter(({ ok }) => ok === false);
	const names = bad.map(({ name }) => translateWords(name)).join(', ');
	const sum = bad.length === 0 ? text('All checks passed.') : text('Failed: {names}.', { names });
	const sections = groups.map(({ title, checks }) =>
		[`## ${translateWords(title)}`, '', ...checks.map((check) => renderCheckLine(check, translateWords)), ''].join(
			'\n',
		),
	);
	return [`# ${translateWords(text('Prowess Doctor'))}`, '', translateWords(sum), '', ...sections].join('\n');
}

function renderCheckLine({ name, ok, detail }: DoctorCheck, said: (words: Text | string) => string): string {
	const mark = ok === undefined ? '' : ok ? '✓ ' : '✗ ';
	const words = said(detail);
	return `- ${mark}**${said(name)}**${words === '' ? '' : `: ${quoteAsCode(words)}`}`;
}

function quoteAsCode(words: string): string {
	const fence = words.includes('`') ? '``' : '`';
	return `${fence}${words.replaceAll(/\s+/g, ' ').slice(0, 500)}${fence}`;
}
