/**
 * Measures how many secrets are found in the forms that their vendors document. The forms are written down apart from
 * the rules that find them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sampleOf } from '../../../../test/support/sample-form.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { Redactor } from './redactor.ts';

const TIMES = 5;
/** Number of last characters of a secret; a secret counts as shown when these remain. */
const SHOWN = 10;

interface VendorFormat {
	readonly line: string;
	/** Number of the random secrets in it that are shown. */
	readonly shown: number;
}

/** In each line, the form of the secret stands between ⟦ and ⟧, as a pattern. */
function formatsOf(file: string): VendorFormat[] {
	const redactor = new Redactor();
	const random = seeded(41);
	const lines = readFileSync(join(import.meta.dirname, '../../../../test/fixtures/redaction', file), 'utf8')
		.trimEnd()
		.split('\n')
		.filter((line) => line.includes('⟦'));
	return lines.map((line) => {
		// A line may stand for several; no scanner takes the forms of keys for keys.
		const [before = '', form = '', after = ''] = line
			.replaceAll('\\n', '\n')
			.replaceAll('\\t', '\t')
			.replaceAll('§', 'KEY')
			.split(/[⟦⟧]/u);
		const sample = () =>
			form
				.split('\n')
				.map((each) => sampleOf(each, random))
				.join('\n');
		const secrets = Array.from({ length: TIMES }, sample);
		const shown = secrets.filter((secret) => redactor.redact(before + secret + after).includes(secret.slice(-SHOWN)));
		return { line, shown: shown.length };
	});
}

describe('Secrets as their vendors document them', () => {
	for (const [file, least] of [
		['vendor-formats.txt', 200],
		['more-vendor-formats.txt', 65],
		['everyday-forms.txt', 100],
		['more-everyday-forms.txt', 235],
	] as const) {
		it(`are struck out 95 times in a hundred in the forms of ${file}`, () => {
			const formats = formatsOf(file);
			const missed = formats.flatMap(({ line, shown }) => Array.from({ length: shown }, () => line));
			assert.ok(formats.length >= least, `${formats.length} forms`);
			assert.ok(missed.length <= (formats.length * TIMES) / 20, missed.join('\n'));
		});
	}

	it('are struck out also where a sentence or a shortened line goes on behind them', () => {
		const redactor = new Redactor();
		for (const text of ['password=Tr0ub4dor&3... then retry', 'token: 9f8e7d6c5b4a39281706f5e4d3c2b1a0.... (cut)']) {
			assert.doesNotMatch(redactor.redact(text), /Tr0ub4|9f8e7d/, text);
		}
	});

	it('are not seen in options and names that only look alike', () => {
		const redactor = new Redactor();
		for (const text of [
			'docker run -d --name mysql -p3306:3306 mysql:9',
			'mysql -u root -p shop < dump.sql; mkdir -p build/out',
			'mysql -h db -u root -p"$MYSQL_PWD" shop',
			'sshpass -p "$PASS" ssh host',
			'find . -name mysql -print -prune',
			'"auth": "bearer-token-of-user"',
			'docker run -p 8080:80 -u node web',
			'docker login -u me -p "$DOCKER_PASSWORD"',
			'zip -r out.zip src -x a.ts',
			'ssh-keygen -t ed25519 -N "" -f id',
			'echo "building" | tee log.txt; sudo -S true',
			'git config user.name ann; npm config set registry https://registry.test',
			'gh secret set NPM_TOKEN --body "$NPM_TOKEN"',
			'mosquitto_sub -h broker.test -t a/b -p 1883',
			'The password is required, and the token is 32 bytes long.',
			'const password = passwordInput1!.value;',
			'<input name="password" value="">',
			"define('DB_NAME', 'shop1');",
			'openssl enc -aes-256-cbc -k "$PASS" -in a',
			"machine {host} login {self.username} password {self.password}'",
			"'Authorization': 'OAuth oauth_token=234lsdkf....'",
			'https://a.test/x -a b',
			'net use',
			'src/a.ts:1200:12:error:x',
			'http://user:pass@example.com and http://abc:xyz@example.com',
			"Token: '#f8f8f2', // a colour",
			'cookie: theme=dark; lang=de',
			'The mnemonic: a word that helps to remember another word',
			'use the --username and --password options instead',
			`const TOKEN = "ghp_PersonalAccessToken012456789${'0'.repeat(8)}";`,
			'ALTER TABLE ann ADD password varchar(20)',
			'MyVeryLongModuleNameOfAll.create.withAllTheOptionsThatItHasAndMore',
		]) {
			assert.equal(redactor.redact(text), text);
		}
	});
});
