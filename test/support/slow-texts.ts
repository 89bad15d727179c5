/** Texts made to be slow for the search for secrets: fragments of its own rules, in a row without end. */
import { MARKED_FORMS, NAMED_FORMS } from '../../src/trust/record/redaction/finders/token-forms.ts';
import { below, pick } from './seeded.ts';

const wordsOf = (table: string) =>
	table
		.trim()
		.split('\n')
		.flatMap((row) => row.split(/ {2,}/)[1]?.split(' ') ?? []);

const fragments: readonly string[] = [
	...wordsOf(MARKED_FORMS),
	...wordsOf(NAMED_FORMS),
	...[
		'password',
		'passwd',
		'secret',
		'token',
		'api_key',
		'_auth',
		'credentials',
		'pass',
		'creds',
		'--token ',
		'--password ',
	],
	...['authorization: ', 'bearer ', 'basic ', 'curl', ' -u ', ' --user ', 'a://', 'https://u:', '@', '://'],
	...['-----BEGIN PRIVATE KEY-----', '-----BEGIN ', '-----', 'kind: Secret', 'data:', '\n  a: ', '123456789012345|'],
	...['A', 'a', '0', 'a1', '.', '-', '_', '=', ':', ' ', '"', "'", '`', '\\', '\\"', '$', '{', '}', '<', '>', '</'],
	...[',', ';', '\n', '\t', '=>', ':=', 'ey', '%', '|', '/', '+', '~', '&', '(', '[', ']', 'é'],
];

/** Texts that were slow once; each is repeated unchanged. */
export const slowUnits: readonly string[] = [
	...[
		'-----BEGIN RSA PRIVATE KEY-----\n',
		'password=',
		'a://a:',
		'Bearer ',
		'eyJaaaaaaaaaa.',
		'authorization: ',
		'A',
		'-',
	],
	...['sk-', 'token=$', 'secret: "a', 'password=\\"', '--password ', 'token>a', 'Q~', 'ey', 'jira="', 'hvs.linear = '],
	...[
		'sk-ant-',
		'ABSK/',
		'sntrys_/',
		'xoxb-%',
		'SG.=',
		'SG.',
		'fm2_/',
		'curl -u a:bcd ',
		'curl ',
		'okta',
		'snyk',
		'xoxe.xoxp-',
	],
];

/** Returns one to four random fragments, joined. */
export function slowUnit(random: () => number): string {
	return Array.from({ length: 1 + below(random, 4) }, () => pick(random, fragments)).join('');
}

export function slowText(unit: string, chars: number): string {
	return unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars);
}
