/**
 * The objects of a PDF, found by looking through its bytes from the start to the end: what its table of contents says may be
 * wrong, and a later object of a number replaces an earlier one.
 */
import { type Budget, TooMuch } from './budget.ts';
import { applyFilters, type Filter } from './filters.ts';
import { MAX_OBJECTS } from './limits.ts';
import { type Dictionary, PdfName, Reference, type PdfValue, ValueReader, PdfWord } from './values.ts';

interface FoundObject {
	readonly value: PdfValue;
	/** Bytes of the stream as they stand in the file; absent: the object is not a stream. */
	readonly bytes?: Buffer;
}

export class PdfFile {
	readonly #budget: Budget;
	readonly #objects = new Map<number, FoundObject>();
	/** Dictionaries that tell where the catalog is. */
	readonly #trailers: Dictionary[] = [];

	private constructor(budget: Budget) {
		this.#budget = budget;
	}

	/** Never rejects but with the reason of the signal: of a broken file, what could be found counts. */
	static async open(bytes: Buffer, budget: Budget): Promise<PdfFile> {
		const file = new PdfFile(budget);
		try {
			await file.#scan(bytes);
			for (const [, found] of [...file.#objects]) {
				if (file.#typeOf(found.value) === 'ObjStm') file.#unpack(found);
				await budget.breathe();
			}
		} catch (error) {
			if (!(error instanceof TooMuch)) throw error;
		}
		return file;
	}

	get isEncrypted(): boolean {
		return this.#trailers.some((trailer) => trailer.has('Encrypt'));
	}

	/** Undefined where none names one that is there. */
	get catalog(): Dictionary | undefined {
		const named = this.#trailers.map((trailer) => this.dictionary(trailer.get('Root')));
		const root = named.findLast((each) => each?.has('Pages') === true);
		return root ?? this.ofType('Catalog').at(-1);
	}

	/** In the order of their numbers. */
	ofType(type: string): readonly Dictionary[] {
		const numbers = [...this.#objects.keys()].sort((a, b) => a - b);
		return numbers.flatMap((number) => {
			const value = this.#objects.get(number)?.value;
			return value instanceof Map && this.#typeOf(value) === type ? [value] : [];
		});
	}

	/** Returns the value that a reference leads to, or the given value itself. */
	value(given: PdfValue | undefined): PdfValue | undefined {
		let now = given;
		for (let steps = 0; now instanceof Reference && steps < 16; steps += 1) now = this.#objects.get(now.number)?.value;
		return now instanceof Reference ? undefined : now;
	}

	dictionary(given: PdfValue | undefined): Dictionary | undefined {
		const value = this.value(given);
		return value instanceof Map ? (value as Dictionary) : undefined;
	}

	list(given: PdfValue | undefined): readonly PdfValue[] | undefined {
		const value = this.value(given);
		return Array.isArray(value) ? (value as readonly PdfValue[]) : undefined;
	}

	number(given: PdfValue | undefined): number | undefined {
		const value = this.value(given);
		return typeof value === 'number' ? value : undefined;
	}

	name(given: PdfValue | undefined): string | undefined {
		const value = this.value(given);
		return value instanceof PdfName ? value.name : undefined;
	}

	/** Undefined where there is no stream, or none that can be read. Throws TooMuch. */
	stream(given: PdfValue | undefined): { readonly dictionary: Dictionary; readonly bytes: Buffer } | undefined {
		let now = given;
		let found: FoundObject | undefined;
		for (let steps = 0; now instanceof Reference && steps < 16; steps += 1) {
			found = this.#objects.get(now.number);
			now = found?.value;
		}
		return found === undefined ? undefined : this.#streamOf(found);
	}

	#streamOf({ value, bytes }: FoundObject) {
		if (!(value instanceof Map) || bytes === undefined) return undefined;
		const dictionary = value as Dictionary;
		const plain = applyFilters(bytes, this.#filtersOf(dictionary), this.#budget);
		return plain === undefined ? undefined : { dictionary, bytes: plain };
	}

	#filtersOf(dictionary: Dictionary): readonly Filter[] {
		const toList = (value: PdfValue | undefined): readonly (PdfValue | undefined)[] =>
			this.list(value) ?? (value === undefined ? [] : [value]);
		const parameters = toList(dictionary.get('DecodeParms') ?? dictionary.get('DP'));
		return toList(dictionary.get('Filter') ?? dictionary.get('F')).map((each, index) => {
			const given = this.dictionary(parameters[index]);
			const readParameter = (key: string, usual: number) =>
				Math.min(Math.max(this.number(given?.get(key)) ?? usual, 0), 100_000);
			const bits = readParameter('Colors', 1) * readParameter('BitsPerComponent', 8);
			return {
				name: this.name(each) ?? '',
				predictor: readParameter('Predictor', 1),
				rowBytes: Math.max(1, Math.ceil((bits * readParameter('Columns', 1)) / 8)),
				sampleBytes: Math.max(1, Math.ceil(bits / 8)),
				isEarly: readParameter('EarlyChange', 1) !== 0,
			};
		});
	}

	#typeOf(value: PdfValue): string | undefined {
		const type = value instanceof Map ? (value as Dictionary).get('Type') : undefined;
		return type instanceof PdfName ? type.name : undefined;
	}

	async #scan(bytes: Buffer): Promise<void> {
		let trailer = bytes.indexOf('trailer');
		for (let at = 0; at < bytes.length;) {
			this.#budget.step();
			await this.#budget.breathe();
			if (trailer !== -1 && trailer < at) trailer = bytes.indexOf('trailer', at);
			const next = nextHead(bytes, at, trailer, this.#budget);
			if (next === undefined || this.#objects.size >= MAX_OBJECTS) return;
			const reader = new ValueReader(bytes, next.end, this.#budget);
			const value = reader.read() ?? null;
			if (next.number === undefined) {
				if (value instanceof Map) this.#trailers.push(value as Dictionary);
				at = Math.max(reader.at, next.end);
				continue;
			}
			const stream = value instanceof Map ? this.#bytesAfter(reader, value as Dictionary) : undefined;
			this.#objects.set(next.number, stream === undefined ? { value } : { value, bytes: stream });
			if (this.#typeOf(value) === 'XRef') this.#trailers.push(value as Dictionary);
			at = Math.max(reader.at, next.end);
		}
	}

	/**
	 * Returns the bytes of the stream that follows the dictionary; undefined when none follows. The stream's length may
	 * be wrong, or told by an object that comes later.
	 */
	#bytesAfter(reader: ValueReader, dictionary: Dictionary): Buffer | undefined {
		const { bytes } = reader;
		reader.skipSpace();
		if (bytes.toString('latin1', reader.at, reader.at + 6) !== 'stream') return undefined;
		let from = reader.at + 6;
		if (bytes[from] === 13) from += 1;
		if (bytes[from] === 10) from += 1;
		const length = this.number(dictionary.get('Length')) ?? -1;
		const told = from + length;
		const isTold = length >= 0 && /^\s*endstream/.test(bytes.toString('latin1', told, told + 16));
		const found = isTold ? told : bytes.indexOf('endstream', from);
		const to = found === -1 ? bytes.length : found;
		reader.at = to;
		return bytes.subarray(from, to);
	}

	/**
	 * Unpacks the objects of a stream that holds several. Objects that stand by themselves, and came later, take
	 * precedence.
	 */
	#unpack(found: FoundObject): void {
		const stream = this.#streamOf(found);
		const first = this.number(stream?.dictionary.get('First')) ?? 0;
		const count = Math.min(this.number(stream?.dictionary.get('N')) ?? 0, MAX_OBJECTS);
		if (stream === undefined) return;
		const heads = new ValueReader(stream.bytes, 0, this.#budget);
		for (let index = 0; index < count && this.#objects.size < MAX_OBJECTS; index += 1) {
			const [number, at] = [heads.read(), heads.read()];
			if (typeof number !== 'number' || typeof at !== 'number') return;
			const value = new ValueReader(stream.bytes, first + at, this.#budget).read();
			if (value !== undefined && !(value instanceof PdfWord)) this.#objects.set(number, { value });
		}
	}
}

/** Where the next object or trailer begins; `number` is undefined for a trailer. */
function nextHead(
	bytes: Buffer,
	from: number,
	trailer: number,
	budget: Budget,
): { readonly number?: number; readonly end: number } | undefined {
	for (let at = from; ;) {
		budget.step();
		const object = bytes.indexOf('obj', at);
		if (trailer !== -1 && (object === -1 || trailer < object)) return { end: trailer + 7 };
		if (object === -1) return undefined;
		const before = /(?:^|[^\d])(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+$/.exec(
			bytes.toString('latin1', Math.max(0, object - 32), object),
		);
		if (before !== null) return { number: Number(before[1]), end: object + 3 };
		at = object + 3;
	}
}
