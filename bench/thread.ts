/**
 * Checks that a prompt costs the same however long its thread is: one thread over a real store, with a model that
 * answers at once.
 */
import { type Figure, median, ms } from './measure.ts';
import { MemoryHost } from '../test/transcripts/memory-host.ts';
import { call, scriptedModel, type ScriptedPart, text } from '../test/transcripts/scripted-model.ts';
import { Transcript } from '../test/transcripts/transcript.ts';

const WINDOW = 32_768;
const WARMING_TURNS = 200;
/** Turns that are measured, each with so many before it. */
const PLACES = [
	{ turn: 10, around: 5 },
	{ turn: 100, around: 20 },
	{ turn: 1_000, around: 40 },
	{ turn: 10_000, around: 40 },
] as const;

export async function threadFigures(): Promise<Figure[]> {
	// Warm up with a first thread, so that compilation is not counted for the measured one.
	await timesOf(WARMING_TURNS);
	const times = await timesOf(10_000);
	const medianAt = PLACES.map(({ turn, around }) => ({ turn, took: median(times.slice(turn - around, turn)) }));
	const [first, ...later] = medianAt;
	return later.map(({ turn, took }) => {
		const grown = took / (first?.took ?? Number.NaN);
		return {
			goal: 'thread',
			what: `processor time of a prompt with one call, turn ${turn.toLocaleString('en')} of a thread, to turn 10 of it`,
			measured: `${grown.toFixed(2)}x (${ms(took)} / ${ms(first?.took)})`,
			bar: '<= 2x',
			met: grown <= 2,
		};
	});
}

/** Processor milliseconds of each prompt of a new thread, to the end of its turn: nobody waits in it, and others on the machine count not. */
async function timesOf(turns: number): Promise<number[]> {
	const model = scriptedModel(script(), WINDOW, text('Summarized.'));
	const host = new MemoryHost({ 'AGENTS.md': 'Use tabs, never spaces.', 'a.ts': 'let a;\n'.repeat(200) });
	const transcript = new Transcript({ model, host });
	const times: number[] = [];
	try {
		const threadId = await transcript.create();
		for (let turn = 1; turn <= turns; turn += 1) {
			const begun = process.cpuUsage();
			await transcript.prompt(threadId, `Question ${turn}?`);
			const { user, system } = process.cpuUsage(begun);
			times.push((user + system) / 1000);
			// Drop what this harness has recorded, so that memory holds only what the product keeps.
			(model.requests as unknown[]).length = 0;
			transcript.events.length = 0;
			host.forget();
		}
	} finally {
		transcript.close();
	}
	return times;
}

/** Each turn reads a file, and answers. */
function* answers(): Generator<readonly ScriptedPart[]> {
	for (let turn = 1; ; turn += 1) {
		yield [call('fs_read', { path: 'a.ts', offset: (turn % 190) + 1 }, `call_${turn}`)];
		yield text(`Answer ${turn} and so on it goes, word by word.`);
	}
}

function script(): readonly (readonly ScriptedPart[])[] {
	const next = answers();
	// The model asks for the answer to its latest request, whose number is of no use: those before are gone.
	return new Proxy([], {
		get: (target, name) =>
			typeof name === 'string' && /^\d+$/.test(name) ? next.next().value : Reflect.get(target, name),
	});
}
