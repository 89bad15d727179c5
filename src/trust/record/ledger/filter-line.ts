/** A filter of the ledger in one line, as a person types it: `op:shell.run kind:denial since:2026-11-20 git push`. */
import { type LedgerFilter, LedgerKind } from '../../../protocol/approvals/ledger.ts';
import { canonicalOp } from '../../../protocol/op-table/ops.ts';

/** The filter, or in words why the line is none. Words without a known name before a colon are looked for in the rows. */
export function readFilterLine(line: string): LedgerFilter | string {
	const filter: LedgerFilter = {};
	const words: string[] = [];
	for (const word of line.split(/\s+/).filter((each) => each !== '')) {
		const [, name, value = ''] = /^(op|kind|thread|id|by|since|until):(.*)$/.exec(word) ?? [];
		if (name === undefined) {
			words.push(word);
			continue;
		}
		const problem = applyFilterTerm(filter, name, value);
		if (problem !== undefined) {
			return problem;
		}
	}
	return words.length === 0 ? filter : { ...filter, text: words.join(' ').slice(0, 500) };
}

/**
 * Reads a time as a person writes it, always in UTC: `2026-11-20`, `2026-11-20T14:30`, also with seconds. Undefined:
 * not a time.
 */
export function readTime(text: string): string | undefined {
	const [, day, time = 'T00:00'] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)?Z?$/.exec(text) ?? [];
	const date = new Date(`${day ?? ''}${time}Z`);
	return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

function applyFilterTerm(filter: LedgerFilter, name: string, value: string): string | undefined {
	switch (name) {
		case 'kind': {
			const kind = LedgerKind.safeParse(value);
			filter.kind = kind.data;
			return kind.success ? undefined : `kind: takes ${LedgerKind.options.join(', ')}; got "${value}"`;
		}
		case 'since':
		case 'until': {
			const time = readTime(value);
			filter[name] = time;
			return time === undefined
				? `${name}: takes a time in UTC like 2026-11-20 or 2026-11-20T14:30; got "${value}"`
				: undefined;
		}
		default:
			if (value === '') {
				return `${name}: needs a value right after it`;
			}
			filter[filterColumns[name as keyof typeof filterColumns]] = name === 'op' ? canonicalOp(value) : value;
			return undefined;
	}
}

const filterColumns = { op: 'op', thread: 'threadId', id: 'opId', by: 'doer' } as const;
