import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleOf } from '../../../../../test/support/sample-form.ts';
import { seeded } from '../../../../../test/support/seeded.ts';
import { EVERYDAY_FAMILIES } from './everyday-families.ts';

/** Lines for what the corpus has no line of: each begins another alternative of a pattern. */
const MORE = [
	...['MHcCAQEEI', 'MIGHAgEAMBMG', 'MC4CAQAwBQYDK2V'].map((start) => `${start}${'aB3+'.repeat(12)}`),
	...['$5$', '$gy$', '$7$', '$argon2id$', '$scrypt$', '$pbkdf2-sha256$'].map((start) => `${start}${'aB3/'.repeat(8)}`),
	...['Mot de passe', 'contrasena', 'Haslo', '密碼', 'パスワード', '비밀번호'].map((word) => `${word}: aB3aB3aB3`),
	...['Lösenord', 'adgangskode', 'salasana', 'jelszó', 'Şifre', 'şifre', 'parola'].map((word) => `${word}=aB3aB3aB3`),
	...['USER ann', 'WITH ENCRYPTED', 'ENCRYPTED'].map((before) => `${before} PASSWORD 'aB3aB3'`),
	"identified by password 'aB3aB3'",
	'openssl rsa -passout pass:aB3aB3',
	...[
		'--pass-stdin',
		'gh auth login --with-token',
		'gpg --passphrase-fd 0',
		'passwd --stdin',
		'cryptsetup open',
		'kinit',
	].map((program) => `echo aB3aB3aB3 | ${program} x`),
	...["password: '; send 'aB3aB3aB3\\r", 'password: "; send -- "aB3aB3aB3\\r'],
	...['password is', 'Passwort ist', 'Kennwort lautet', 'passphrase is', 'passcode is'].map(
		(before) => `${before} aB3aB3aB3`,
	),
	...['Passwort ', 'Kennwort ', 'Passphrase '].map((before) => `${before}a1B2c3D4e5 x`),
	'pw=aB3aB3aB3',
	'keyPassword `aB3aB3aB3`',
	...['recovery codes', '2FA codes'].map((before) => `${before}: a1b2c-d3e4f`),
	`?X-Goog-Signature=${'a1'.repeat(32)}`,
	"= password('aB3aB3')",
	'= password("aB3aB3")',
	"name='password' value='aB3aB3aB3'",
	...['recovery_words', 'backup-phrase', 'SEED WORDS'].map((label) => `${label}: ${'apple '.repeat(11)}apple`),
];

/** Lines of the corpus and more of them, each in large and in small letters, too, and with other blanks. */
function linesInAllForms(): string[] {
	const random = seeded(43);
	const folder = join(import.meta.dirname, '../../../../../test/fixtures/redaction');
	const lines = ['everyday-forms.txt', 'more-everyday-forms.txt']
		.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
		.map((line) => {
			const [before = '', form, after = ''] = line.replaceAll('\\t', '\t').split(/[⟦⟧]/u);
			const parts = (form ?? '').split('\\n').map((each) => sampleOf(each, random));
			return `${before}${parts.join('\n')}${after}`.replaceAll('\\n', '\n');
		});
	return [...lines, ...MORE].flatMap((line) => [
		line,
		line.toUpperCase(),
		line.toLowerCase(),
		line.replaceAll(' ', '\t'),
		line.replaceAll(' ', '\u00a0'),
		line.replaceAll(' ', '  '),
	]);
}

describe('The words before a pattern for everyday secrets', () => {
	const lines = linesInAllForms();
	for (const { name, words, pattern } of EVERYDAY_FAMILIES) {
		if (words === undefined) continue;
		it(`are in all that it finds, and each stands for something: ${name}, ${words[0] ?? ''}`, () => {
			const found = lines.filter((line) => line.search(pattern) !== -1).map((line) => line.toLowerCase());
			assert.deepEqual(
				found.filter((line) => !words.some((word) => line.includes(word))),
				[],
			);
			assert.deepEqual(
				words.filter((word) => !found.some((line) => line.includes(word))),
				[],
			);
		});
	}
});
