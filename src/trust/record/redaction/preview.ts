/** Previews what would be redacted in a text. The result holds no secret value. */
import { pickOutermost } from './findings.ts';
import type { Redactor } from './redactor.ts';

interface SecretsPreview {
	readonly text: string;
	readonly findings: readonly { readonly family: string; readonly line: number; readonly chars: number }[];
}

export function createRedactionPreview(redactor: Redactor, text: string): SecretsPreview {
	const findings = pickOutermost(redactor.find(text)).map(({ family, start, end }) => ({
		family,
		line: text.slice(0, start).split('\n').length,
		chars: end - start,
	}));
	return { text: redactor.redact(text), findings };
}

export function previewText({ text, findings }: SecretsPreview, problems: readonly string[]): string {
	const found = findings.map(({ family, line, chars }) => `line ${line}: ${family} (${chars} characters)\n`);
	return [
		...problems.map((problem) => `${problem}\n`),
		findings.length === 0 ? 'No secrets found.\n' : `Secrets found: ${findings.length}\n`,
		...found,
		`${'-'.repeat(40)}\n`,
		text.endsWith('\n') ? text : `${text}\n`,
	].join('');
}
