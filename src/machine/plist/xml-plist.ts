/**
 * XML form of property lists, as far as they use it: no entities of the document's own, no other elements, no fetches.
 * Everything else is refused and not guessed at.
 */
import { withoutByteOrderMark } from '../../base/text/lenient.ts';
import {
	toPlistDate,
	toPlistInteger,
	malformedPlistError,
	MAX_PLIST_DEPTH,
	MAX_VALUES,
	type PlistValue,
} from './plist-value.ts';

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

export function parseXmlPlist(text: string): PlistValue {
	return new XmlPlist(withoutByteOrderMark(text)).document();
}

class XmlPlist {
	readonly #text: string;
	#at = 0;
	#made = 0;

	constructor(text: string) {
		this.#text = text;
	}

	document(): PlistValue {
		this.#skip();
		// Without a subset: that could declare entities.
		this.#take(/<!DOCTYPE\s+plist(?:\s+(?:PUBLIC\s+"[^"]*"\s+"[^"]*"|SYSTEM\s+"[^"]*"))?\s*>/y);
		this.#skip();
		if (this.#take(/<plist(?:\s+version\s*=\s*(?:"[^"]*"|'[^']*'))?\s*>/y) === undefined) {
			throw malformedPlistError('it does not begin with <plist>');
		}
		const value = this.#value(0);
		this.#end('plist');
		this.#skip();
		if (this.#at !== this.#text.length) {
			throw malformedPlistError('something follows after </plist>');
		}
		return value;
	}

	#value(depth: number): PlistValue {
		this.#made += 1;
		if (depth > MAX_PLIST_DEPTH || this.#made > MAX_VALUES) {
			throw malformedPlistError(`it is nested deeper than ${MAX_PLIST_DEPTH} or holds more than ${MAX_VALUES} values`);
		}
		this.#skip();
		const [, name, isEmpty] = this.#take(/<(dict|array|string|integer|real|true|false|date|data)\s*(\/?)>/y) ?? [];
		if (name === undefined) {
			throw malformedPlistError(
				`at ${this.#at} there is ${JSON.stringify(this.#text.slice(this.#at, this.#at + 20))} and no value`,
			);
		}
		if (name === 'dict' || name === 'array') {
			const items = isEmpty === '/' ? [] : name === 'dict' ? this.#members(depth) : this.#items(depth);
			return name === 'dict' ? Object.fromEntries(items as [string, PlistValue][]) : (items as PlistValue[]);
		}
		const content = isEmpty === '/' ? '' : this.#content(name);
		return parsePlistScalar(name, content);
	}

	#members(depth: number): [string, PlistValue][] {
		const members: [string, PlistValue][] = [];
		for (;;) {
			this.#skip();
			const [, isEmpty] = this.#take(/<key\s*(\/?)>/y) ?? [];
			if (isEmpty === undefined) {
				this.#end('dict');
				return members;
			}
			members.push([isEmpty === '/' ? '' : this.#content('key'), this.#value(depth + 1)]);
		}
	}

	#items(depth: number): PlistValue[] {
		const items: PlistValue[] = [];
		for (;;) {
			this.#skip();
			if (this.#take(/<\/array\s*>/y) !== undefined) {
				return items;
			}
			items.push(this.#value(depth + 1));
		}
	}

	/** Text up to the end of the element; other elements do not belong there. */
	#content(name: string): string {
		let content = '';
		for (;;) {
			const [piece = ''] = this.#take(/[^<]*/y) ?? [];
			content += unescapeEntities(piece);
			const [, verbatim] = this.#take(/<!\[CDATA\[([^]*?)\]\]>/y) ?? [];
			if (verbatim !== undefined) {
				content += verbatim;
			} else if (this.#take(/<!--[^]*?-->/y) === undefined) {
				this.#end(name);
				return content;
			}
		}
	}

	#end(name: string): void {
		this.#skip();
		const [, found] = this.#take(/<\/([a-z]+)\s*>/y) ?? [];
		if (found !== name) {
			throw malformedPlistError(`at ${this.#at} there should be </${name}>`);
		}
	}

	/** Blanks, comments and instructions. */
	#skip(): void {
		while (this.#take(/[\s\uFEFF]+|<!--[^]*?-->|<\?[^]*?\?>/y) !== undefined) {
			// Until none is left.
		}
	}

	#take(pattern: RegExp): RegExpExecArray | undefined {
		pattern.lastIndex = this.#at;
		const match = pattern.exec(this.#text);
		if (match === null || match[0] === '') {
			return undefined;
		}
		this.#at += match[0].length;
		return match;
	}
}

function parsePlistScalar(name: string, content: string): PlistValue {
	const trimmed = content.trim();
	switch (name) {
		case 'string':
			return content;
		case 'true':
		case 'false':
			return name === 'true';
		case 'integer': {
			const [, sign, digits] = /^([+-]?)(\d{1,40}|0x[0-9a-f]{1,32})$/i.exec(trimmed) ?? [];
			if (digits === undefined) {
				throw malformedPlistError(`"${trimmed.slice(0, 40)}" is no whole number`);
			}
			return toPlistInteger(sign === '-' ? -BigInt(digits) : BigInt(digits));
		}
		case 'real':
			if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(trimmed) || !Number.isFinite(Number(trimmed))) {
				throw malformedPlistError(`"${trimmed.slice(0, 40)}" is no number`);
			}
			return Number(trimmed);
		case 'date':
			if (!/^-?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(trimmed)) {
				throw malformedPlistError(`"${trimmed.slice(0, 40)}" is no date`);
			}
			return toPlistDate(new Date(trimmed));
		default: {
			const base64 = content.replaceAll(/\s+/g, '');
			if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) {
				throw malformedPlistError('data is not in base64');
			}
			return { $data: Buffer.from(base64, 'base64').toString('base64') };
		}
	}
}

function unescapeEntities(text: string): string {
	return text.replaceAll(/&([^;&<]{0,12});?/g, (whole, name: string) => {
		const code = /^#(?:x([0-9a-f]{1,6})|(\d{1,7}))$/i.exec(name);
		const point = code === null ? undefined : code[1] === undefined ? Number(code[2]) : Number.parseInt(code[1], 16);
		const character =
			point === undefined
				? Object.hasOwn(entities, name)
					? entities[name]
					: undefined
				: point > 0 && point <= 0x10ffff
					? String.fromCodePoint(point)
					: undefined;
		if (character === undefined || !whole.endsWith(';')) {
			throw malformedPlistError(`"${whole}" is no character`);
		}
		return character;
	});
}
