/** The types of the messages of `prowess rpc`, from their one declaration: what programs compile against. */
import * as z from '../../src/protocol/text/zod.ts';
import {
	Approval,
	ApprovalAnswer,
	ClosedQuestion,
	Desk,
	DeskQuestion,
} from '../../src/protocol/approvals/approvals.ts';
import {
	greetingOfProgram,
	missedNotifications,
	requestsOfProgram,
	toldToPrograms,
} from '../../src/protocol/doors/rpc.ts';
import type { NotificationTable, RequestTable } from '../../src/protocol/rpc/message.ts';
import { SaidText } from '../../src/protocol/text/said-text.ts';
import { ContextRef } from '../../src/protocol/thread/context.ts';
import { ThreadItem } from '../../src/protocol/thread/items.ts';
import { ThreadEvent, ThreadInfo, ThreadSnapshot, ThreadUpdate } from '../../src/protocol/thread/thread.ts';
import { type Schema, typeText } from './type-text.ts';

const NAMED = {
	...{ SaidText, ContextRef, Approval, ApprovalAnswer, ClosedQuestion, Desk, DeskQuestion },
	...{ ThreadItem, ThreadEvent, ThreadInfo, ThreadSnapshot, ThreadUpdate },
};

const requests = [greetingOfProgram as RequestTable, ...requestsOfProgram].flatMap((table) => Object.values(table));
const notifications: NotificationTable = { ...toldToPrograms, ...missedNotifications };

export function sdkRpc(): Readonly<Record<string, string>> {
	const registry = z.registry<{ id: string }>();
	for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
	const named = new Map<string, Schema>();
	const typeOf = (declared: z.ZodType, io: 'input' | 'output') => {
		const { $defs = {}, ...schema } = z.toJSONSchema(declared, { io, unrepresentable: 'any', metadata: registry });
		// Makes what is sent the same as what is told, but for what may be left out.
		for (const [id, each] of Object.entries($defs))
			if (io === 'output' || !named.has(id)) named.set(id, each as Schema);
		return typeText(schema as Schema);
	};
	const rows = requests.map(
		({ method, params, result }) =>
			`\t'${method}': { params: ${typeOf(params, 'input')}; result: ${typeOf(result, 'output')} };`,
	);
	const told = Object.values(notifications).map(({ method, params }) => `\t'${method}': ${typeOf(params, 'output')};`);
	const types = [...named]
		.toSorted(([one], [other]) => (one < other ? -1 : 1))
		.map(([id, schema]) => `export type ${id} = ${typeText(schema)};`);
	const text = [
		'/** Messages of `prowess rpc`, version 1. Generated: `npm run generate`. */',
		'',
		...types,
		'',
		'/** Requests, by method. */',
		'export interface Requests {',
		...rows,
		'}',
		'',
		'/** Messages that are told without being asked, by method. */',
		'export interface Notifications {',
		...told,
		'}',
	];
	return { 'sdk/rpc.d.ts': `${text.join('\n')}\n` };
}
