import assert from 'node:assert/strict';
import type { CapabilitySummary } from '../capability/capability-ops.ts';
import { type OpeningMessage, capabilityValues as valuesOf } from './capability-values.ts';

const skill = (name: string, description = '', source: CapabilitySummary['source'] = 'global'): CapabilitySummary => ({
	name,
	type: 'skill',
	source,
	description,
});
const capabilityValues = (capabilities: readonly CapabilitySummary[], beginning: OpeningMessage) =>
	valuesOf(capabilities, beginning).map(({ whole }) => whole);
const said = (text: string, ...paths: string[]) => ({ text, paths });
const best = (capabilities: readonly CapabilitySummary[], beginning: ReturnType<typeof said>) => {
	const values = capabilityValues(capabilities, beginning);
	return capabilities[values.indexOf(Math.max(...values))]?.name;
};
const shelf = [
	skill('pdf', 'Reads and fills in PDF files and their forms'),
	skill('sheets', 'Works with tables in xlsx and csv files'),
	skill('deploy', 'Publishes the site to a server'),
	skill('review-changes', 'Looks over changes in Git before they are merged'),
];

describe('What a capability is worth at the beginning of a thread', () => {
	it('is something for each, also when nothing was said, and when what was said is no word', () => {
		for (const text of ['', '?!', '.*+[(', 'constructor __proto__']) {
			const values = capabilityValues(shelf, said(text));
			assert.ok(
				values.every((value) => Number.isFinite(value) && value > 0),
				text,
			);
		}
		assert.deepEqual(capabilityValues([], said('x')), []);
	});

	it('is less where only its beginning is told, and least of all for one that is wanted', () => {
		const shares = valuesOf(shelf, said('Fill in this form')).map(({ short, whole }) => short / whole);
		assert.ok(shares.every((share) => share > 0 && share < 1) && Math.min(...shares) === shares[0], shares.join());
	});

	for (const [text, name] of [
		['Fill in this form, please', 'pdf'],
		['What does the table in sales.csv say?', 'sheets'],
		['deploy it', 'deploy'],
		['Can you look over my change before I merge it?', 'review-changes'],
	] as const) {
		it(`is most for ${name} when the user says "${text}"`, () => {
			assert.equal(best(shelf, said(text)), name);
		});
	}

	it('counts the files that the user shows', () => {
		assert.equal(best(shelf, said('What is this?', 'docs/order.pdf')), 'pdf');
	});

	it('is most for the one that the user names with a slash, whatever else matches', () => {
		assert.equal(best(shelf, said('Use /deploy for the PDF forms in these files')), 'deploy');
		assert.equal(best(shelf, said('skill/sheets: fill in the PDF form')), 'sheets');
		assert.equal(best(shelf, said('See src/deploy/a.ts and fill in the PDF form')), 'pdf');
	});

	it('is more for what was used here, the more often and the later, but not as much as for what is named', () => {
		const [first, second] = [skill('pdf'), skill('sheets')];
		const worth = (weight: number, text = '') =>
			valuesOf([first, second], said(text), new Map([['skill/sheets', { count: 1, lastAt: 0, weight }]]));
		const [once, often, faded] = [worth(1), worth(4), worth(0.1)].map((values) => values[1]?.whole ?? 0);
		const never = valuesOf([first, second], said(''))[1]?.whole ?? 0;
		assert.ok(never < (faded ?? 0) && (faded ?? 0) < (once ?? 0) && (once ?? 0) < (often ?? 0));
		assert.deepEqual(
			worth(1).map(({ used }) => used),
			[undefined, { count: 1, lastAt: 0, weight: 1 }],
		);
		const [named, used] = worth(1_000, 'Use /pdf').map(({ whole }) => whole);
		assert.ok((named ?? 0) > (used ?? 0));
	});

	it('is more for what the workspace brings, then for the user’s own, and less the more there are of one source', () => {
		const many = Array.from({ length: 50 }, (_, n) => skill(`p${n}`, '', 'project'));
		const values = capabilityValues([...many, skill('mine'), skill('built-in', '', 'built-in')], said(''));
		const [first = 0, mine = 0, builtIn = 0] = [values[0], values[50], values[51]];
		assert.ok(first > mine && mine > builtIn);
		assert.ok(mine > (values[30] ?? 0));
	});
});
