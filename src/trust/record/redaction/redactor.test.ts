import assert from 'node:assert/strict';
import fc from 'fast-check';
import { processorMs } from '../../../../test/support/processor-time.ts';
import { seeded } from '../../../../test/support/seeded.ts';
import { slowText, slowUnit, slowUnits } from '../../../../test/support/slow-texts.ts';
import { MAX_HELD_CHARS } from './limits.ts';
import { Redactor } from './redactor.ts';

const secret = 'c4n/ry+"secret"é-0123456789';
const uuid = '0a1b2c3d-0a1b-4c1d-8e1f-0a1b2c3d4e5f';
const pem = `-----BEGIN RSA PRIVATE KEY-----\n${'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=\n'.repeat(20)}-----END RSA PRIVATE KEY-----`;

/** Built from parts, so that no scanner takes this file for a leak. */
const look: Readonly<Record<string, string>> = {
	openai: `sk-${'a1B2'.repeat(12)}`,
	'openai project': `sk-proj-${'a1-B_'.repeat(10)}`,
	anthropic: `sk-ant-${'api03-abcDEF12'.repeat(3)}`,
	google: `AIza${'Sy_-a'.repeat(8)}`,
	aws: `AKIA${'ABCDEFGH12345678'}`,
	stripe: `sk_live_${'a1'.repeat(20)}`,
	github: `ghp_${'a1B2c3'.repeat(6)}`,
	'github fine': `github_pat_${'a1B2_c3'.repeat(8)}`,
	gitlab: `glpat-${'a1B2c'.repeat(4)}`,
	slack: `xoxb-${'123456789012-abcdef'}`,
	npm: `npm_${'a1B2c3'.repeat(6)}`,
	jwt: `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiIxMjM0In0'}.${'abcDEF123_-xyz'}`,
	huggingface: `hf_${'aBcDeF'.repeat(6)}`,
	sendgrid: `SG.${'a1B2'.repeat(6)}.${'a1B2'.repeat(11)}`,
	xai: `xai-${'a1B2'.repeat(20)}`,
	'private key': pem,
};

describe('Redactor', () => {
	it('finds a known value in every usual encoding', () => {
		const redactor = new Redactor();
		redactor.addSecret(secret);
		const bytes = Buffer.from(secret);
		const forms = [
			secret,
			bytes.toString('base64'),
			bytes.toString('base64url'),
			bytes.toString('hex'),
			bytes.toString('hex').toUpperCase(),
			encodeURIComponent(secret),
			JSON.stringify(secret),
			Buffer.from(`user:${secret}`).toString('base64'),
			Buffer.from(`me:${secret}:x`).toString('base64'),
		];
		for (const form of forms) {
			const text = redactor.redact(`before ${form} after`);
			assert.match(text, /^before .*<redacted:secret>.* after$/);
			assert.ok(!text.includes(form.slice(8, 24)), text);
		}
	});

	for (const [name, token] of Object.entries(look)) {
		it(`strikes out what looks like a secret: ${name}`, () => {
			const text = new Redactor().redact(`x = "${token}";`);
			assert.match(text, /<redacted:[a-z-]+>/);
			assert.ok(!text.includes(token.slice(-12)), text);
		});
	}

	const labelled = [
		['Authorization: Basic dXNlcjpwYXNzd29yZA==', 'Authorization: Basic <redacted:authorization>'],
		['password=hunter2hunter2', 'password=<redacted:password>'],
		['"api_key": "abcd1234efgh"', '"api_key": "<redacted:password>"'],
		[
			`https://${'0a1b2c3d'.repeat(5)}:x-oauth-basic@git.test/x`,
			'https://<redacted:url-token>:x-oauth-basic@git.test/x',
		],
		[
			`https://${'0a1b2c3d'.repeat(5)}:apasswordoftwentychars@git.test/x`,
			'https://<redacted:url-token>:<redacted:url-password>@git.test/x',
		],
		[`"first\\nq1w2e3_${'a1B2c3D4'.repeat(4).slice(0, 29)}_mmk"`, '"first\\n<redacted:maxmind>"'],
		[
			`https://acme.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/${'a1b2c3d4'.repeat(4)}/${uuid}`,
			'https://acme.<redacted:teams>',
		],
		[
			'<add key="ClearTextPassword" value="with blanks 1" />',
			'<add key="ClearTextPassword" value="<redacted:nuget>" />',
		],
		["curl -u 'bob:long-and-dull' https://a.test", "curl -u 'bob:<redacted:curl-user>' https://a.test"],
		['https://me:with@sign@git.test/x', 'https://me:<redacted:url-password>@git.test/x'],
		['postgres://me:topsecret@db.test/x', 'postgres://me:<redacted:url-password>@db.test/x'],
		...['$ecr3t!pass', '{brace9', '%9percent', '$(odd', '%s3cret', '{{twice}odd'].map(
			(password) =>
				[
					`machine a.test login me password ${password}\n`,
					'machine a.test login me password <redacted:netrc>\n',
				] as const,
		),
		// A sample of a standard is one as a whole only.
		['Authorization: Bearer mF_9.B5f-4.1JqM7f3a9c', 'Authorization: Bearer <redacted:authorization>'],
		['Authorization: Basic czZCaGRSa3F0MzpnWDFmQmF0M2JWeHl6', 'Authorization: Basic <redacted:authorization>'],
		['curl says Bearer SlAV32hkKG7f3a9c11', 'curl says Bearer <redacted:bearer>'],
		['machine a.test login me password ${odd}9f3', 'machine a.test login me password <redacted:netrc>'],
		['machine a.test login me password %(odd9f3', 'machine a.test login me password <redacted:netrc>'],
	] as const;
	for (const [text, expected] of labelled) {
		it(`keeps the label of ${text.slice(0, 14)}…`, () => assert.equal(new Redactor().redact(text), expected));
	}

	const innocent = [
		'const password = readPassword(input);',
		"if (text.includes('-----BEGIN PRIVATE KEY-----')) { return parse(text); }",
		'the sk-learn package and task-based-scheduling-of-everything-in-the-world',
		'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
		...[
			'$TOKEN',
			'${NPM_TOKEN:-none}',
			'{password}',
			'{{ secret }}',
			'%s',
			'%(password)s',
			'%PASSWORD%',
			'$(pass show git)',
		].map((value) => `machine a.test login me password ${value}`),
		// Samples that the standards of OAuth print, and each library repeats.
		'Authorization: Bearer mF_9.B5f-4.1JqM',
		'Authorization: Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW',
		'"access_token":"2YotnFZFEjr1zCsicMWpAA", "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA"',
		'Location: http://client.test/cb#access_token=2YotnFZFEjr1zCsicMWpAA&state=xyz',
		'token=45ghiukldjahdnhzdauz&token_type_hint=refresh_token',
	];
	for (const text of innocent) {
		it(`leaves alone: ${text.slice(0, 40)}`, () => assert.equal(new Redactor().redact(text), text));
	}

	it('passes over values too short to be secrets', () => {
		const redactor = new Redactor();
		redactor.addSecret('test');
		assert.equal(redactor.redact('npm test'), 'npm test');
	});

	it('strikes out what is left of a private key that was cut off, however little', () => {
		const redactor = new Redactor();
		for (let end = pem.indexOf('QUJD') + 4; end <= pem.indexOf('-----END'); end += 1) {
			assert.equal(redactor.redact(pem.slice(0, end)), '<redacted:private-key>', String(end));
		}
	});

	it('redacts every string of a result, whatever its depth', () => {
		const redactor = new Redactor();
		redactor.addSecret(secret);
		const shown = JSON.stringify(redactor.redactDeep({ a: [{ b: secret, [secret]: 1 }], n: 5, z: null }));
		assert.ok(!shown.includes('c4n'), shown);
		assert.equal(shown, '{"a":[{"b":"<redacted:secret>","<redacted:secret>":1}],"n":5,"z":null}');
	});

	it('takes four times as long for a text four times as long, however slow it was made', () => {
		const redactor = new Redactor();
		const random = seeded(31);
		const timeOf = (unit: string, chars: number) => {
			const text = slowText(unit, chars);
			return processorMs(() => void redactor.redact(text));
		};
		const slow = [...slowUnits, ...Array.from({ length: 20 }, () => slowUnit(random))].filter((unit) => {
			timeOf(unit, 30_000);
			const [short, long] = [timeOf(unit, 50_000), timeOf(unit, 200_000)];
			// Below this a collection of garbage would decide.
			return long > 60 && long > 10 * short;
		});
		assert.deepEqual(slow, []);
	});

	it('strikes out a run of labels that goes on and on, for each of them would be looked at again', () => {
		const redactor = new Redactor();
		assert.equal(redactor.redact('token=$A token=$B'), 'token=$A token=$B');
		// In the second one, the part of the run that is looked at ends in a sign that ends no value.
		for (const run of ['token=$', 'co_api_keycmVmddata:']) {
			const shown = redactor.redact(run.repeat(1_000));
			assert.ok(shown.length < 250 && shown.endsWith('<redacted:password>'), shown);
		}
	});

	it('finds the password of the second of two curl commands, wherever the reach of the first one ends', () => {
		const redactor = new Redactor();
		for (let blanks = 340; blanks < 400; blanks += 1) {
			const text = `curl https://a.test${' '.repeat(blanks)}; curl -u bob:long-and-dull https://b.test`;
			assert.equal(redactor.redact(text), text.replace('long-and-dull', '<redacted:curl-user>'));
		}
	});
});

describe('RedactedStream', () => {
	it('finds a secret split over pieces at every place', () => {
		for (const token of [secret, look['github'] ?? '', pem, 'line one of it\nline two of it']) {
			const redactor = new Redactor();
			redactor.addSecret(secret);
			redactor.addSecret('line one of it\nline two of it');
			const text = `start\n${token}\nend\n`;
			for (let at = 0; at <= text.length; at += token === pem ? 13 : 1) {
				const stream = redactor.stream();
				const out = stream.push(text.slice(0, at)) + stream.push(text.slice(at)) + stream.end();
				assert.match(out, /^start\n<redacted:[a-z-]+>\nend\n$/, `split at ${at}`);
			}
		}
	});

	it('gives out every character of harmless text, however it is split', () => {
		fc.assert(
			fc.property(fc.array(fc.stringMatching(/^[a-z \n]{0,40}$/)), (pieces) => {
				const stream = new Redactor().stream();
				const out = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
				assert.equal(out, pieces.join(''));
			}),
		);
	});

	it('gives out finished lines at once', () => {
		assert.equal(new Redactor().stream().push('one\ntwo'), 'one\n');
	});

	it('does not hold back without end', () => {
		const stream = new Redactor().stream();
		let given = 0;
		const piece = 'x'.repeat(1_000);
		for (let n = 0; n < 200; n++) {
			given += stream.push(piece).length;
			assert.ok((n + 1) * 1_000 - given <= 2 * MAX_HELD_CHARS + 1_000);
		}
	});
});
