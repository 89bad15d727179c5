/** The report of the doctor, as Markdown. Details are quoted as code: some of them come from other programs. */
export interface DoctorCheck {
	readonly name: string;
	/** `undefined`: information only. */
	readonly ok: boolean | undefined;
	readonly detail: string;
}

export function doctorText(
	groups: readonly { readonly title: string; readonly checks: readonly DoctorCheck[] }[],
): string {
	const bad = groups.flatMap(({ checks }) => checks).filter(({ ok }) => ok === false);
	const sum = bad.length === 0 ? 'All checks passed.' : `Failed: ${bad.map(({ name }) => name).join(', ')}.`;
	const sections = groups.map(({ title, checks }) => [`## ${title}`, '', ...checks.map(line), ''].join('\n'));
	return ['# Prowess Doctor', '', sum, '', ...sections].join('\n');
}

function line({ name, ok, detail }: DoctorCheck): string {
	const mark = ok === undefined ? '' : ok ? '✓ ' : '✗ ';
	return `- ${mark}**${name}**${detail === '' ? '' : `: ${code(detail)}`}`;
}

function code(text: string): string {
	const fence = text.includes('`') ? '``' : '`';
	return `${fence}${text.replaceAll(/\s+/g, ' ').slice(0, 500)}${fence}`;
}
