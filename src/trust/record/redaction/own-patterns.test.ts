import assert from 'node:assert/strict';
import { runWithin } from './budget.ts';
import { ownPatterns } from './own-patterns.ts';
import { createRedactionPreview, previewText } from './preview.ts';
import { Redactor } from './redactor.ts';

const named = (pattern: string) => ownPatterns([{ name: 'mine', pattern }]);

describe("the user's own patterns", () => {
	for (const pattern of [
		'(a+)+b',
		'(?:a*)*',
		'(?<x>[ab]+){2,}c',
		'((a{2,5})b)+',
		'(a|a)+b',
		'(?:\\d|\\w)+!',
		'a*a*a*a*b',
		'(.*a){20}',
		'(a)\\1',
		'(?<n>a)\\k<n>',
		'a{2000}',
		'a*',
		'',
		'^',
		'[',
		'(',
		'\\p{Nonsense}',
	]) {
		it(`refuses ${JSON.stringify(pattern)}, and says why`, () => {
			const { families, problems } = named(pattern);
			assert.deepEqual(families, []);
			assert.match(problems[0] ?? '', /^prowess\.redaction\.patterns: "mine" is not used: ./);
		});
	}

	for (const [pattern, text] of [
		['TCK-\\d{6}', 'TCK-123456'],
		['(?:acme|corp)_[a-z0-9]{8,}', 'acme_abcdefgh9'],
		['\\(x\\)+', '(x)))'],
		['[(]x{1,40}[)]', '(xx)'],
		['(?:ab)+', 'ababab'],
		['(?<keep>)é+', 'éé'],
	] as const) {
		it(`strikes out what ${pattern} matches`, () => {
			const { families, problems } = named(pattern);
			assert.deepEqual(problems, []);
			assert.equal(new Redactor(() => families).redact(`a ${text} b`), 'a <redacted:mine> b');
		});
	}

	it('keeps the others when one is refused, and takes a name once', () => {
		const { families, problems } = ownPatterns([
			{ name: 'bad', pattern: '(a+)+' },
			{ name: 'good', pattern: 'x{8}' },
			{ name: 'good', pattern: 'y{8}' },
		]);
		assert.deepEqual([families.map(({ name }) => name), problems.length], [['good'], 2]);
	});

	it('strike out a whole text rather than show it when they take too long after all', () => {
		const slow = { name: 'slow', pattern: /(?:q|q)+!/gu, isOwn: true } as const;
		const redactor = new Redactor(() => [slow]);
		// Without a limit the first one would go on longer than the world.
		assert.equal(redactor.redact('q'.repeat(5_000)), '<redacted:slow-took-too-long>');
		assert.deepEqual(redactor.find('q'.repeat(5_000)), [{ start: 0, end: 5_000, family: 'slow' }]);
	});

	it('find what a stream brings in pieces', () => {
		const { families } = named('TCK-\\d{6}');
		const stream = new Redactor(() => families).stream();
		assert.equal(stream.push('a TCK-12') + stream.push('3456\nb') + stream.end(), 'a <redacted:mine>\nb');
	});
});

describe('the preview of a redaction', () => {
	it('lists once what two patterns find', () => {
		const { findings } = createRedactionPreview(new Redactor(), 'Authorization: Bearer abcdefghijklmnop\n');
		assert.deepEqual(
			findings.map(({ family }) => family),
			['authorization'],
		);
	});

	it('lists each finding by its line, and holds no value', () => {
		const redactor = new Redactor(() => named('TCK-\\d{6}').families);
		redactor.addSecret('canary-0123456789');
		const preview = createRedactionPreview(redactor, 'one\ncanary-0123456789 TCK-123456\n');
		assert.deepEqual(preview.findings, [
			{ family: 'secret', line: 2, chars: 17 },
			{ family: 'mine', line: 2, chars: 10 },
		]);
		const shown = previewText(preview, ['a problem']);
		assert.doesNotMatch(shown, /canary|123456/);
		assert.match(shown, /^a problem\nSecrets found: 2\nline 2: secret \(17 characters\)/);
	});

	it('says when there is nothing', () => {
		assert.match(previewText(createRedactionPreview(new Redactor(), 'plain'), []), /^No secrets found/);
	});
});

describe('a bounded run', () => {
	it('gives what was made in time, throws what was thrown, and stops what goes on', () => {
		assert.equal(
			runWithin(1_000, () => 'x'),
			'x',
		);
		assert.throws(
			() =>
				runWithin(1_000, () => {
					throw new RangeError('mine');
				}),
			/mine/,
		);
		assert.equal(
			runWithin(20, () => {
				for (;;);
			}),
			undefined,
		);
	});
});
