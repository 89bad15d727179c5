/** The kinds of secrets that the rules recommended by secretlint (13.1.0) look for, as tables of forms: each is redacted. */
import assert from 'node:assert/strict';
import { sampleOf } from '../../../../../test/support/sample-form.ts';
import { seeded } from '../../../../../test/support/seeded.ts';
import { Redactor } from '../redactor.ts';

const TIMES = 20;

/** Kind, and the forms of its rule: in angle brackets the secret, where its surroundings belong to the form; `~` ends a line. */
const FORMS: readonly (readonly [kind: string, ...forms: string[]])[] = [
	['1password', 'ops_ey[A-Za-z0-9]{100,400}fQ=='],
	['anthropic', 'sk-ant-api0\\d-[A-Za-z0-9_-]{90,128}AA'],
	['aws id', '(AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}', 'A3T[A-Z0-9][A-Z0-9]{16}'],
	['aws secret', 'AWS_SECRET_ACCESS_KEY=<[A-Za-z0-9/+]{40}>', '"secretAccessKey": "<[A-Za-z0-9/+]{40}>"'],
	['basicauth', 'https?://[a-z]{4,12}:<[-a-zA-Z0-9_]{12,24}>@[a-z]{4,9}[.]example[.]org'],
	['cloudflare', '(cfk|cfut|cfat)_[A-Za-z0-9]{40}[0-9a-f]{8}'],
	['database', '(mongodb|mysql|postgres|postgresql)://[a-z]{4,9}:<[A-Za-z0-9!$]{12,24}>@db[.]example[.]org/app'],
	['databricks', 'dapi[A-Fa-f0-9]{32}', 'dapi[a-f0-9]{32}-[0-9]'],
	['docker', 'dckr_pat_[a-zA-Z0-9_-]{27}'],
	['figma', 'figd_[A-Za-z0-9_-]{40,200}'],
	[
		'gcp',
		'"private_key": "<-----BEGIN PRIVATE KEY-----\\\\n[A-Za-z0-9+/]{200,400}\\\\n-----END PRIVATE KEY-----\\\\n>"',
	],
	['github', '(ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9_]{36}', 'github_pat_[A-Za-z0-9_]{82}'],
	['github app', 'ghs_[0-9]{4,12}_eyJ[A-Za-z0-9_-]{30,90}[.]eyJ[A-Za-z0-9_-]{60,200}[.][A-Za-z0-9_-]{60,90}'],
	['gitlab', 'glpat-[A-Za-z0-9_-]{20,128}'],
	['grafana', 'glc_[A-Za-z0-9+/]{32,400}', 'glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'],
	['groq', 'gsk_[a-zA-Z0-9]{52}'],
	['hashicorp-vault', 'hvs[.][A-Za-z0-9_-]{90,120}', 'hvb[.][A-Za-z0-9_-]{138,300}', 'hvr[.][A-Za-z0-9_-]{90,120}'],
	['huggingface', 'hf_[a-zA-Z]{34}'],
	['linear', 'lin_api_[a-zA-Z0-9_]{32,128}'],
	['notion', 'ntn_[0-9]{11}[A-Za-z0-9]{35}'],
	['npm', 'npm_[A-Za-z0-9_]{36}', '//registry[.]example[.]org/:_authToken=<[A-Za-z0-9]{36}>'],
	[
		'openai',
		'sk-(proj|svcacct|admin)-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{74}',
		'sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}',
	],
	[
		'privatekey',
		'-----BEGIN (RSA |EC |DSA |OPENSSH |)PRIVATE KEY-----~<[A-Za-z0-9+/]{200,600}>~-----END PRIVATE KEY-----',
	],
	['sendgrid', 'SG[.][A-Za-z0-9_-]{22}[.][A-Za-z0-9_-]{43}'],
	['shopify', '(shppa|shpca|shpat|shpss)_[a-zA-Z0-9]{32,64}'],
	[
		'slack',
		'xox[bpaor]-[0-9]{10,13}-[0-9]{10,13}-[a-zA-Z0-9]{24,40}',
		'xapp-[0-9]-[A-Z0-9]{11}-[0-9]{12}-[a-z0-9]{64}',
	],
	['slack webhook', 'https://hooks[.]slack[.]com/services/<T[A-Z0-9]{8,10}/B[A-Z0-9]{8,10}/[A-Za-z0-9]{24}>'],
	['stripe', '(sk_live|sk_test|rk_live|rk_test)_[a-zA-Z0-9]{24,99}'],
	['tailscale', 'tskey-(auth|api|client|scim|webhook)-[0-9A-Za-z]{11,17}-[0-9A-Za-z]{26,40}'],
	['vercel', '(vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,60}'],
];

describe('A secret of a kind that secretlint knows is redacted', () => {
	const redactor = new Redactor();
	for (const [kind, ...forms] of FORMS) {
		for (const [at, form] of forms.entries()) {
			it(`${kind}, form ${at + 1}`, () => {
				const random = seeded(at + 1);
				const missed = Array.from({ length: TIMES }, () => sampleOf(form, random).replaceAll('~', '\n')).filter(
					(sample) => {
						const [, secret = sample] = /<([^]+)>/.exec(sample) ?? [];
						return redactor.redact(`line\n  ${sample.replace(/<([^]+)>/, '$1')} \nline`).includes(secret);
					},
				);
				assert.deepEqual(missed, []);
			});
		}
	}
});
