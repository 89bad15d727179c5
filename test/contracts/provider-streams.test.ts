/**
 * Checks every provider against streams that are written, cut or spoiled in other ways than its vendor does it.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { isProwessError } from '../../src/protocol/errors/errors.ts';
import type { ModelPart } from '../../src/server/models/model-port.ts';
import { below, pick, seeded } from '../support/seeded.ts';
import { ask, callsOf, partsOf, textOf } from './model-contract.ts';
import { providerRig, vendors } from './provider-rig.ts';

const prompts = ['text', 'thinking', 'parallel', 'call', 'empty', 'unpaid'] as const;
const mutants = 40;

/**
 * Returns the parts of an answer that a person sees and that are run. Leaves out the ids of calls, because the mock
 * makes them up for each answer.
 */
function shapeOf(parts: readonly ModelPart[]) {
	const kinds = parts.map(({ kind }) => kind);
	return [
		textOf(parts),
		callsOf(parts).map(({ tool, inputText }) => [tool, inputText]),
		// Deltas that come together may be one.
		kinds.filter((kind, at) => !kind.endsWith('Delta') || kind !== kinds[at - 1]),
	];
}

/** Ways to write the same stream, as the standard of event streams allows them. */
const spellings: Readonly<Record<string, (stream: string) => string>> = {
	'with CRLF at the ends of its lines': (stream) => stream.replaceAll(/\r?\n/g, '\r\n'),
	'with comments between its events': (stream) => `: welcome\n\n${stream.replaceAll(/\n\n/g, '\n\n: still here\n\n')}`,
	'with a mark of its byte order': (stream) => `\uFEFF${stream}`,
	'with fields that nobody knows': (stream) => stream.replaceAll(/^data: /gm, 'retry: 10\nx-vendor: 1\ndata: '),
	'without a space after its colons': (stream) => stream.replaceAll(/^data: /gm, 'data:'),
};

for (const vendor of vendors) {
	describe(`streams of the ${vendor.kind} provider`, function () {
		this.timeout(60_000);
		const rig = providerRig(vendor);

		for (const prompt of prompts) {
			it(`are read the same when every byte comes alone: ${prompt}`, async () => {
				const whole = await outcomeOf(prompt);
				rig.proxy.fault({ kind: 'bytes' });
				assert.deepEqual(await outcomeOf(prompt), whole);
			});
		}

		for (const [how, rewrite] of Object.entries(spellings)) {
			it(`are read the same ${how}`, async () => {
				const whole = shapeOf(await partsOf(rig.open(), ask('parallel')));
				rig.proxy.fault({ kind: 'rewrite', with: rewrite });
				assert.deepEqual(await outcomeOf('parallel'), whole);
			});
		}

		for (const figure of ['-5', '"NaN"', 'NaN', '-Infinity', '1e300', '0.5', '[]', 'true']) {
			it(`lose no more than the figure when their usage says ${figure} (R-27)`, async () => {
				const whole = shapeOf(await partsOf(rig.open(), ask('parallel')));
				rig.proxy.fault({ kind: 'rewrite', with: (stream) => stream.replaceAll(/(":\s*)40\b/g, `$1${figure}`) });
				const parts = await partsOf(rig.open(), ask('parallel'));
				assert.deepEqual(shapeOf(parts), whole);
				const last = parts.at(-1);
				assert.ok(last?.kind === 'finish' && last.usage.estimated && last.usage.inputTokens > 0, JSON.stringify(last));
			});
		}

		it(`end with a finish or an error of ours: ${mutants} spoiled ones`, async () => {
			const random = seeded(20_261_121);
			for (let n = 0; n < mutants; n += 1) {
				const prompt = pick(random, ['text', 'parallel', 'thinking', 'call'] as const);
				rig.proxy.fault({ kind: 'rewrite', with: (stream) => spoiled(stream, random) });
				const parts: ModelPart[] = [];
				try {
					for await (const part of rig.open().stream(ask(prompt), new AbortController().signal)) {
						parts.push(part);
					}
					assert.equal(parts.at(-1)?.kind, 'finish', `mutant ${n}`);
				} catch (error) {
					assert.ok(isProwessError(error) && error.code !== 'INTERNAL', `mutant ${n}: ${String(error)}`);
				}
			}
		});

		/** An error counts as what it is called: some streams are refused however they come. */
		async function outcomeOf(prompt: string): Promise<unknown> {
			try {
				return shapeOf(await partsOf(rig.open(), ask(prompt)));
			} catch (error) {
				assert.ok(isProwessError(error), String(error));
				return error.code;
			}
		}
	});
}

describe('a stream that has said it is done', () => {
	const vendor = vendors.find(({ kind }) => kind === 'openai-compatible');
	assert.ok(vendor !== undefined);
	const rig = providerRig(vendor);

	it('has no call after that (R-24)', async () => {
		const delta = {
			tool_calls: [{ index: 0, id: 'late', type: 'function', function: { name: 'fs_read', arguments: '{}' } }],
		};
		const late = {
			id: 'x',
			object: 'chat.completion.chunk',
			created: 1,
			model: 'm',
			choices: [{ index: 0, delta, finish_reason: null }],
		};
		rig.proxy.fault({
			kind: 'rewrite',
			with: (stream) => `${stream}data: ${JSON.stringify(late)}\n\ndata: [DONE]\n\n`,
		});
		const parts = await partsOf(rig.open(), ask('text'));
		assert.deepEqual([textOf(parts), callsOf(parts)], ['Hello there, world', []]);
	});
});

function spoiled(stream: string, random: () => number): string {
	const at = below(random, stream.length);
	const lines = stream.split('\n');
	const line = below(random, lines.length);
	switch (below(random, 7)) {
		case 0:
			return stream.slice(0, at) + stream.slice(at + 1 + below(random, 30));
		case 1:
			return stream.slice(0, at) + String.fromCharCode(below(random, 0x300)) + stream.slice(at);
		case 2:
			return lines.toSpliced(line, 1).join('\n');
		case 3:
			return lines.toSpliced(line, 0, lines[below(random, lines.length)] ?? '').join('\n');
		case 4:
			return stream.replaceAll('\n\n', '\n');
		case 5:
			return `${stream}${stream.slice(at)}`;
		default:
			return stream.replace(/"index":\s*\d+/, `"index":${pick(random, ['-1', '99', '"0"', 'null', '1e9'])}`);
	}
}
