/**
 * Finds the hooks in a file of another agent, in whichever form its author wrote it: lists by event, with or without groups
 * and the name `hooks` around them, or one list in which each hook names its event. Each is found alone: one that cannot be
 * read is a problem, and never costs the others.
 */
import { isObjectValue, nonEmptyText } from '../../base/text/lenient.ts';

export interface WrittenHook {
	/** Name in the file. */
	readonly event: string;
	/** Matcher of its group; absent: there is none. */
	readonly matcher?: unknown;
	readonly entry: Readonly<Record<string, unknown>>;
	/** Place in the file, such as `hooks.Stop.0`. */
	readonly where: string;
}

interface WrittenHooks {
	readonly hooks: readonly WrittenHook[];
	/** In words. */
	readonly problems: readonly string[];
}

/** Names that a file of hooks may have at its top beside `hooks`. */
const EVENT_LIKE =
	/^(?:(?:[Bb]efore|[Aa]fter|[Pp]re|[Pp]ost)[A-Z_-]|[Ss]ession|[Ss]top$|[Ss]ub|[Uu]ser[Pp]rompt|agentStop$)/;

/** `bare`: which names at the top are events where nothing is called `hooks`; settings have many other names there. */
export function writtenHooks(json: unknown, bare: 'any' | 'likely' = 'likely'): WrittenHooks {
	if (!isObjectValue(json)) {
		return { hooks: [], problems: ['expected an object with "hooks"'] };
	}
	if (json['disableAllHooks'] === true) {
		return { hooks: [], problems: [] };
	}
	if (Array.isArray(json)) {
		return hooksInList(json, '');
	}
	const { hooks } = json;
	if (Array.isArray(hooks)) {
		return hooksInList(hooks, 'hooks.');
	}
	if (isObjectValue(hooks)) {
		return hooksByEvent(hooks, 'hooks.');
	}
	if (hooks !== undefined && hooks !== null) {
		return { hooks: [], problems: ['hooks: expected an object or a list'] };
	}
	const events = Object.entries(json).filter(
		([name, value]) => Array.isArray(value) && (bare === 'any' || EVENT_LIKE.test(name)),
	);
	return hooksByEvent(Object.fromEntries(events), '');
}

/** The same hooks by their event, each in a group of its own: the form of Claude's settings. */
export function groupHooksByEvent(hooks: readonly WrittenHook[]): Record<string, unknown[]> {
	const byEvent = Map.groupBy(hooks, ({ event }) => event);
	return Object.fromEntries(
		[...byEvent].map(([event, all]) => [
			event,
			all.map(({ matcher, entry }) => ({ ...(matcher === undefined ? {} : { matcher }), hooks: [entry] })),
		]),
	);
}

function hooksByEvent(byEvent: Readonly<Record<string, unknown>>, before: string): WrittenHooks {
	const found = Object.entries(byEvent).map(([event, value]) => {
		const place = `${before}${event}`;
		const entries = Array.isArray(value)
			? value.map((each, at) => [each, `${place}.${at}`] as const)
			: [[value, place] as const];
		return joinHooks(entries.map(([entry, where]) => hooksOfEntry(event, entry, where)));
	});
	return joinHooks(found);
}

function hooksInList(list: readonly unknown[], before: string): WrittenHooks {
	return joinHooks(
		list.map((each, at) => {
			const where = `${before}${at}`;
			const event = isObjectValue(each) ? nonEmptyText(each['event']) : undefined;
			return event === undefined
				? { hooks: [], problems: [`${where}: expected an object that names its "event"`] }
				: hooksOfEntry(event, each, where);
		}),
	);
}

/** A hook, or a group of them that share a matcher. */
function hooksOfEntry(event: string, given: unknown, where: string): WrittenHooks {
	if (!isObjectValue(given) || Array.isArray(given)) {
		return { hooks: [], problems: [`${where}: expected an object`] };
	}
	const { matcher, hooks, action, ...rest } = given;
	const shared = matcher === undefined ? {} : { matcher };
	if (hooks === undefined) {
		return {
			hooks: [{ event, ...shared, entry: isObjectValue(action) ? { ...rest, ...action } : rest, where }],
			problems: [],
		};
	}
	if (!Array.isArray(hooks)) {
		return { hooks: [], problems: [`${where}.hooks: expected a list`] };
	}
	return joinHooks(
		hooks.map((entry: unknown, at) =>
			isObjectValue(entry)
				? { hooks: [{ event, ...shared, entry, where: `${where}.hooks.${at}` }], problems: [] }
				: { hooks: [], problems: [`${where}.hooks.${at}: expected an object`] },
		),
	);
}

function joinHooks(all: readonly WrittenHooks[]): WrittenHooks {
	return { hooks: all.flatMap(({ hooks }) => hooks), problems: all.flatMap(({ problems }) => problems) };
}
