import assert from 'node:assert/strict';
import fc from 'fast-check';
import { KeyLines, withoutKeyLines } from './key-lines.ts';

const body = Array.from({ length: 6 }, (_, line) => `${line}QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo`).join('\n');
const mark = (word: string) => `-----${word} RSA PRIVATE ${'KEY'}-----`;
const struckOut = Array.from({ length: 6 }, () => '<redacted:private-key>').join('\n');
const text = `one - two --\n${mark('BEGIN')}\n${body}\n${mark('END')}\nlast\n`;
const shown = `one - two --\n${mark('BEGIN')}\n${struckOut}\n${mark('END')}\nlast\n`;

function inPieces(whole: string, ...cuts: readonly number[]): string {
	const lines = new KeyLines();
	const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length];
	return places.map((from, at) => lines.push(whole.slice(from, places[at + 1] ?? whole.length))).join('') + lines.end();
}

describe('The lines of a private key', () => {
	it('are struck out, each for itself', () => assert.equal(withoutKeyLines(text), shown));

	it('are struck out wherever the text is split', () => {
		for (let at = 0; at <= text.length; at += 1) {
			const out = inPieces(text, at);
			assert.ok(!out.includes('QUJD') && out.endsWith(`${mark('END')}\nlast\n`), `split at ${at}: ${out}`);
			assert.equal(out.split('\n').length, text.split('\n').length);
		}
	});

	it('are struck out where the text ends within the key, even in its first line', () => {
		for (let end = text.indexOf('0QUJD') + 4; end < text.indexOf(mark('END')); end += 1) {
			assert.ok(!withoutKeyLines(text.slice(0, end)).includes('QUJ'), String(end));
		}
	});

	it('are struck out in JSON, in a diff and behind numbers of lines', () => {
		for (const written of [
			JSON.stringify({ key: text }),
			text.replaceAll(/^/gm, '+'),
			text.replaceAll(/^/gm, '  12\t'),
			text.replaceAll(/^/gm, '12:'),
		]) {
			assert.ok(!withoutKeyLines(written).includes('QUJD'), written);
		}
	});

	it('leave code and sentences about keys alone', () => {
		for (const innocent of [
			`if (text.includes('${mark('BEGIN')}')) { return parse(text); } // and so on, for more than forty characters`,
			`A key begins with "${mark('BEGIN')}" and goes on for some lines of letters, digits and signs.`,
			`${mark('BEGIN')}\n`,
			'-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUQUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo\n-----END CERTIFICATE-----',
		]) {
			assert.equal(withoutKeyLines(innocent), innocent);
		}
	});

	it('are looked for without a change to any other text, however it is split', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[-BEGIN a\n]{0,60}$/), fc.array(fc.nat(60)), (whole, cuts) =>
				assert.equal(inPieces(whole, ...cuts.filter((cut) => cut <= whole.length)), whole),
			),
		);
	});
});
