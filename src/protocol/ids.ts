/** Ids say what they name and survive in logs: a prefix and a time-ordered UUID (RFC 9562, version 7). Labels, never credentials. */
import { v7 } from 'uuid';
import * as z from './text/zod.ts';

export const ID_PREFIXES = ['thr', 'trn', 'itm', 'call', 'op', 'apr', 'ask', 'cmd', 'lmr', 'sub', 'img'] as const;
type IdPrefix = (typeof ID_PREFIXES)[number];
type Id<P extends IdPrefix> = string & z.$brand<P>;

export type ThreadId = Id<'thr'>;
export type TurnId = Id<'trn'>;
export type ItemId = Id<'itm'>;
export type OpId = Id<'op'>;
export type ApprovalId = Id<'apr'>;
export type QuestionId = Id<'ask'>;
export type CommandId = Id<'cmd'>;
export type SubTurnId = Id<'sub'>;
export type ImageId = Id<'img'>;

export function newId<P extends IdPrefix>(prefix: P): Id<P> {
	return `${prefix}_${v7()}` as Id<P>;
}

/** When it was made, in milliseconds; undefined when it has no time in it. */
export function madeAt(id: string): number | undefined {
	const time = /^[a-z]+_([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id);
	return time === null ? undefined : Number.parseInt(`${time[1]}${time[2]}`, 16);
}

function id<P extends IdPrefix>(prefix: P) {
	return z
		.string()
		.max(64)
		.regex(new RegExp(`^${prefix}_[A-Za-z0-9-]+$`), `expected an id like "${prefix}_…"`)
		.brand<P>();
}

export const ThreadId = id('thr');
export const TurnId = id('trn');
export const ItemId = id('itm');
export const OpId = id('op');
export const ApprovalId = id('apr');
export const QuestionId = id('ask');
export const CommandId = id('cmd');
export const LmRequestId = id('lmr');
export const SubTurnId = id('sub');
export const ImageId = id('img');
