/** Ids say what they name and survive in logs: a prefix and a time-ordered UUID (RFC 9562, version 7). Labels, never credentials. */
import { v7 } from 'uuid';
import * as z from '../text/zod.ts';

export const ID_PREFIXES = ['thr', 'trn', 'itm', 'call', 'op', 'apr', 'ask', 'cmd', 'lmr', 'sub', 'img'] as const;
type IdPrefix = (typeof ID_PREFIXES)[number];
type PrefixedId<P extends IdPrefix> = string & z.$brand<P>;

export type ThreadId = PrefixedId<'thr'>;
export type TurnId = PrefixedId<'trn'>;
export type ItemId = PrefixedId<'itm'>;
export type OpId = PrefixedId<'op'>;
export type ApprovalId = PrefixedId<'apr'>;
export type QuestionId = PrefixedId<'ask'>;
export type CommandId = PrefixedId<'cmd'>;
export type SubTurnId = PrefixedId<'sub'>;
export type ImageId = PrefixedId<'img'>;

export function newId<P extends IdPrefix>(prefix: P): PrefixedId<P> {
	return `${prefix}_${v7()}` as PrefixedId<P>;
}

/** When it was made, in milliseconds; undefined when it has no time in it. */
export function madeAt(id: string): number | undefined {
	const time = /^[a-z]+_([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id);
	return time === null ? undefined : Number.parseInt(`${time[1]}${time[2]}`, 16);
}

function createIdSchema<P extends IdPrefix>(prefix: P) {
	return z
		.string()
		.max(64)
		.regex(new RegExp(`^${prefix}_[A-Za-z0-9-]+$`), `expected an id like "${prefix}_…"`)
		.brand<P>();
}

export const ThreadId = createIdSchema('thr');
export const TurnId = createIdSchema('trn');
export const ItemId = createIdSchema('itm');
export const OpId = createIdSchema('op');
export const ApprovalId = createIdSchema('apr');
export const QuestionId = createIdSchema('ask');
export const CommandId = createIdSchema('cmd');
export const LmRequestId = createIdSchema('lmr');
export const SubTurnId = createIdSchema('sub');
export const ImageId = createIdSchema('img');

/** Params of a message about one thread. */
export const threadParams = z.object({ threadId: ThreadId });
