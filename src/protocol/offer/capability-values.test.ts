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

	it('takes no word that only joins others as a match, in English and German', () => {
		const others = [
			skill('in-the-way', 'The one to be used in all of it, as it is for you'),
			skill('best-of', 'Be the best for it, with an index in place'),
			skill('auf-dem-weg', 'Für alles, was du mit dem hier und über das möchtest'),
			skill('aim', 'Aims and goals'),
		];
		const silent = capabilityValues([...shelf, ...others], said(''));
		for (const text of [
			'What is it that you can do for me in all of this?',
			'Kannst du das bitte für mich über die Woche',
		]) {
			const values = valuesOf([...shelf, ...others], said(text));
			assert.deepEqual(
				values
					.slice(4)
					.map(({ words }) => words)
					.flat(),
				[],
				text,
			);
			assert.deepEqual(
				values.map(({ whole }) => whole),
				silent,
				text,
			);
		}
		const explained = valuesOf(
			[...shelf, ...others],
			said('Our Azure bill exploded in the last week, can AI be of use?'),
		);
		assert.deepEqual(
			explained.flatMap(({ words }) => words),
			[],
		);
	});

	it('finds the one that is meant among many, however many fillers stand around its words', () => {
		const many = Array.from({ length: 300 }, (_, n) =>
			skill(`other-${n}`, `Use this skill whenever you want to do it in the way ${n} of all`),
		);
		const all = [...shelf, skill('chart', 'Draws charts'), skill('ai-review', 'Reviews prompts of AI models'), ...many];
		for (const [text, name] of [
			['I would like to have all of it in a chart, if that is the way to do it', 'chart'],
			['Can you please be so kind as to fill in this form for me?', 'pdf'],
			['what should be done before we merge it', 'review-changes'],
			['Kannst du mir bitte aus der Datei ein Chart machen, so wie das hier ist', 'chart'],
			['Look at our AI prompt', 'ai-review'],
			['Bitte für mich den deploy auf den server', 'deploy'],
		] as const) {
			assert.equal(best(all, said(text)), name, text);
		}
	});

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
