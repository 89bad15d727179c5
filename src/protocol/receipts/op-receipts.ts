/** Receipts of the ops of one agent, in their order: the one place where the facts of an op become evidence. */
import { type CommandFacts, commandReceipts } from './command-receipts.ts';
import type { EffectReceipt } from './effect-receipt.ts';
import { onlyLooks } from '../ops/act-kind.ts';

/** Facts of one op. `outcome` is undefined when it was begun and nobody can say what became of it. */
export interface OpFacts {
	readonly op: string;
	/** Params as the op declares them. */
	readonly params: unknown;
	readonly outcome:
		| undefined
		| { readonly status: 'done'; readonly result: unknown }
		| {
				readonly status: 'failed' | 'denied' | 'cancelled' | 'timeout';
				readonly error?: { readonly code: string } | undefined;
		  };
}

type Fields = Readonly<Record<string, unknown>>;
/** Makes the receipt of an op that was done. */
type EffectOfOp = (params: Fields, result: Fields) => EffectReceipt;

/** Collects the receipts of ops in their order. Reads of background commands are told of the command by its id. */
export class ReceiptBook {
	readonly #receipts: EffectReceipt[] = [];
	readonly #commands = new Map<string, Fields>();

	get list(): readonly EffectReceipt[] {
		return this.#receipts;
	}

	/** Returns the receipts of this op, which are added to the list. */
	note({ op, params, outcome }: OpFacts): readonly EffectReceipt[] {
		const given = fieldsOf(params);
		const result = outcome?.status === 'done' ? fieldsOf(outcome.result) : {};
		const id = textIn(op === 'shell.run' ? result : given, 'commandId');
		if (op === 'shell.run' && id !== '') {
			this.#commands.set(id, given);
		}
		const command = op === 'shell.run' ? given : this.#commands.get(id);
		const made = receiptsOfOp({ op, params, outcome }, command);
		this.#receipts.push(...made);
		return made;
	}
}

/** Receipts of one op. `command`: params of the `shell.run` that a command in the background was started with. */
export function receiptsOfOp({ op, params, outcome }: OpFacts, command: unknown = params): readonly EffectReceipt[] {
	const given = fieldsOf(params);
	const failure: readonly EffectReceipt[] =
		outcome === undefined || outcome.status === 'done'
			? []
			: [{ kind: 'failed', op, code: outcome.error?.code ?? outcome.status }];
	if (COMMAND_OPS_SEEN.has(op)) {
		// A command that failed or took too long was run nevertheless.
		return outcome?.status === 'denied' ? failure : [...runReceipts(op, command, outcome), ...failure];
	}
	const make = Object.hasOwn(EFFECTS, op) ? EFFECTS[op] : undefined;
	if (failure.length > 0 || make === undefined) {
		return failure;
	}
	const made = make(given, outcome?.status === 'done' ? fieldsOf(outcome.result) : {});
	return [outcome === undefined ? { ...made, isInDoubt: true } : made];
}

/** Ops whose result is the state of a command. */
const COMMAND_OPS_SEEN: ReadonlySet<string> = new Set(['shell.run', 'shell.output', 'shell.stop']);

function runReceipts(op: string, command: unknown, outcome: OpFacts['outcome']): readonly EffectReceipt[] {
	const state = outcome?.status === 'done' ? (fieldsOf(outcome.result) as CommandFacts) : undefined;
	if (op === 'shell.output' && (state === undefined || state.running === true)) {
		return [{ kind: 'read', op, paths: [] }];
	}
	const made = commandReceipts(op, fieldsOf(command), state);
	return outcome === undefined ? made.map((each) => ({ ...each, isInDoubt: true })) : made;
}

function readsPath(op: string, ...names: readonly string[]): EffectOfOp {
	return (params) => ({ kind: 'read', op, paths: names.map((name) => textIn(params, name)).filter(isNotEmpty) });
}

function delegatesTo(op: string, ...names: readonly string[]): EffectOfOp {
	return (params, result) => ({
		kind: 'delegated',
		op,
		to: names.map((name) => textIn(params, name) || textIn(result, name)).find(isNotEmpty) ?? op,
	});
}

function receiptOfTool({ server, tool }: Fields): EffectReceipt {
	const to = `${String(server)}/${String(tool)}`;
	return onlyLooks(String(tool)) ? { kind: 'read', op: 'mcp.call', paths: [] } : { kind: 'sent', op: 'mcp.call', to };
}

function sendsRequest(params: Fields): EffectReceipt {
	const method = textIn(params, 'method');
	return ['GET', 'HEAD', 'OPTIONS'].includes(method)
		? { kind: 'read', op: 'http.request', paths: [] }
		: { kind: 'sent', op: 'http.request', to: readUrlHost(textIn(params, 'url')) };
}

/** Receipts that each op leaves when it was done; those of commands aside. An op that is not named leaves nothing to show. */
const EFFECTS: Readonly<Record<string, EffectOfOp>> = {
	...Object.fromEntries(
		['fs.read', 'fs.list', 'fs.stat', 'fs.find', 'search.text', 'search.code', 'git.diff', 'sql.query', 'plist.parse']
			.concat(['editor.diagnostics', 'editor.symbols', 'editor.references'])
			.map((op) => [op, readsPath(op, 'path')]),
	),
	...Object.fromEntries(
		[
			'git.status',
			'http.get',
			'browser.open',
			'browser.look',
			'web.search',
			'mcp.tools',
			'mcp.resources',
			'mcp.read',
			'mcp.prompt',
			'memory.recall',
		]
			.concat(['agent.list', 'schedule.list', 'capability.list', 'capability.detail', 'capability.status'])
			.concat(['workspace.changes', 'workspace.instructions', 'workspace.environment'])
			.map((op) => [op, readsPath(op)]),
	),
	'fs.write': (params, { created }) => ({
		kind: created === true ? 'created' : 'edited',
		op: 'fs.write',
		paths: [textIn(params, 'path')],
	}),
	'fs.edit': (params) => ({ kind: 'edited', op: 'fs.edit', paths: [textIn(params, 'path')] }),
	'editor.refactor': (params, { files }) => ({
		kind: 'edited',
		op: 'editor.refactor',
		paths: Array.isArray(files) ? files.map((each) => textIn(fieldsOf(each), 'path')) : [textIn(params, 'path')],
	}),
	'fs.makeFolder': (params) => ({ kind: 'created', op: 'fs.makeFolder', paths: [textIn(params, 'path')] }),
	'fs.delete': (params) => ({ kind: 'deleted', op: 'fs.delete', paths: [textIn(params, 'path')] }),
	'fs.move': (params) => ({
		kind: 'moved',
		op: 'fs.move',
		from: textIn(params, 'from'),
		to: textIn(params, 'to'),
	}),
	'sql.execute': (params) => ({
		kind: 'edited',
		op: 'sql.execute',
		paths: [textIn(params, 'path') || textIn(params, 'database')],
	}),
	'secrets.write': () => ({ kind: 'edited', op: 'secrets.write', paths: [] }),
	'http.request': sendsRequest,
	'browser.act': (_params, result) => ({ kind: 'sent', op: 'browser.act', to: textIn(result, 'host') }),
	'net.connect': (params) => ({ kind: 'sent', op: 'net.connect', to: textIn(params, 'host') }),
	'mcp.call': receiptOfTool,
	'user.ask': () => ({ kind: 'asked', op: 'user.ask' }),
	'plan.write': () => ({ kind: 'asked', op: 'plan.write' }),
	'memory.remember': () => ({ kind: 'remembered', op: 'memory.remember' }),
	'memory.forget': () => ({ kind: 'forgot', op: 'memory.forget' }),
	'schedule.add': () => ({ kind: 'scheduled', op: 'schedule.add' }),
	'schedule.switch': () => ({ kind: 'scheduled', op: 'schedule.switch' }),
	'capability.start': delegatesTo('capability.start', 'name'),
	'capability.stop': delegatesTo('capability.stop', 'executionId'),
	'capability.switch': delegatesTo('capability.switch', 'name'),
	'services.call': delegatesTo('services.call', 'name'),
	'script.run': delegatesTo('script.run', 'name'),
	'goal.start': delegatesTo('goal.start', 'id'),
	'agent.spawn': delegatesTo('agent.spawn', 'name', 'agent', 'id'),
	'agent.send': delegatesTo('agent.send', 'id'),
	'agent.stop': delegatesTo('agent.stop', 'id'),
	'agent.apply': (_params, { written, merged }) => ({
		kind: 'edited',
		op: 'agent.apply',
		paths: [written, merged].flatMap((paths) => (Array.isArray(paths) ? paths.map(String) : [])),
	}),
	'agent.run': delegatesTo('agent.run', 'name'),
};

function fieldsOf(value: unknown): Fields {
	return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textIn(fields: Fields, name: string): string {
	const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
	return typeof value === 'string' ? value : '';
}

function isNotEmpty(value: string): boolean {
	return value !== '';
}

/** Returns the host of an address, as it is written. */
function readUrlHost(url: string): string {
	return /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/?#]*@)?([^/?#]+)/i.exec(url)?.[1] ?? url;
}
