/**
 * Each promise of docs/security.md, and of README.md as far as it is of security, names the specs that prove it
 * (`security-claims/`), and no paragraph of docs/security.md is without one.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { topics } from './integration/sandbox/escape-topics.ts';
import { hostileCount } from './support/hostile-lines.ts';
import { gateClaims } from './security-claims/gate.ts';
import { ledgerAndChannelClaims } from './security-claims/ledger-and-channel.ts';
import { notEnforcedClaims } from './security-claims/not-enforced.ts';
import { readmeClaims } from './security-claims/readme.ts';
import { redactionClaims } from './security-claims/redaction.ts';
import { sandboxClaims } from './security-claims/sandbox.ts';
import { trustAndCapabilityClaims } from './security-claims/trust-and-capabilities.ts';
import { unproven } from './security-claims/unproven.ts';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
const claims = [
	...trustAndCapabilityClaims,
	...gateClaims,
	...sandboxClaims,
	...redactionClaims,
	...ledgerAndChannelClaims,
	...notEnforcedClaims,
];
/** The sections of which each paragraph, point and row of a table is proven. */
const proven = [
	'Trust',
	'The gate',
	'Capabilities',
	'The sandbox of commands',
	'The network of a sandboxed command',
	'What is stored where',
	'How the sandbox of commands is tested',
	'What is not enforced',
];

for (const [name, claimed] of [
	['docs/security.md', claims],
	['README.md', readmeClaims],
] as const) {
	const page = oneLine(readFileSync(join(root, name), 'utf8'));
	describe(`a claim of ${name}`, () => {
		for (const { says, provenBy } of claimed) {
			it(`stands there and has its specs: ${says}`, () => {
				assert.ok(
					page.includes(oneLine(says)),
					'the page does not say so: map what it says now, or take the claim out',
				);
				assert.ok(provenBy.length > 0);
				for (const [file, title] of provenBy) {
					const specs = readFileSync(join(root, file), 'utf8')
						.split('\n')
						.filter((line) => /^\s*it(?:\(|$)/.test(line));
					assert.ok(
						title !== '' && specs.some((line) => line.includes(title)),
						`${file} has no spec "${title}": without it nothing proves this claim`,
					);
				}
			});
		}

		it('is mapped once', () => {
			const all = claimed.map(({ says }) => says);
			assert.deepEqual(
				all.filter((says, index) => all.indexOf(says) !== index),
				[],
			);
		});
	});
}

describe('a paragraph of docs/security.md', () => {
	const says = claims.map((claim) => oneLine(claim.says));
	for (const heading of proven) {
		it(`has a spec that proves it, or is known to have none: ${heading}`, () => {
			const without = paragraphsOf(heading).filter(
				(paragraph) =>
					!says.some((part) => paragraph.includes(part)) && !unproven.some((start) => paragraph.startsWith(start)),
			);
			assert.deepEqual(without, [], 'map each to its specs in security-claims/, or say in unproven.ts why it has none');
		});
	}

	it('that counts attacks says how many there are', () => {
		const counted = [
			`${Object.values(topics).flat().length} attempts to get out`,
			`${hostileCount.toLocaleString('en')} hostile lines`,
			...Object.entries({ files: 'files', network: 'the network', daemons: 'daemons' }).map(
				([topic, word]) => `${word} (${topics[topic]?.length ?? 0})`,
			),
		];
		const page = oneLine(text);
		assert.deepEqual(
			counted.filter((each) => !page.includes(each)),
			[],
		);
	});

	it('that is known to have no spec stands there still', () => {
		const all = proven.flatMap(paragraphsOf);
		assert.deepEqual(
			unproven.filter((start) => !all.some((paragraph) => paragraph.startsWith(start))),
			[],
		);
	});
});

/** Paragraphs, points of a list and rows of a table, each in one line. */
function paragraphsOf(heading: string): string[] {
	const [, section = ''] = text.split(`\n## ${heading}\n`);
	return (section.split('\n## ')[0] ?? '')
		.split(/\n(?:\s*\n|(?=\s*- )|(?=\|))/)
		.map((paragraph) => oneLine(paragraph).trim())
		.filter(
			(paragraph) =>
				paragraph !== '' &&
				!/^\|(?: -|.*\| (?:Decision|A command finds|Holds|Signals to your processes) \|$)/.test(paragraph),
		);
}

function oneLine(part: string): string {
	return part.replaceAll(/\s+/g, ' ');
}
