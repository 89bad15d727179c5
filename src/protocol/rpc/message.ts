/** A message is a value: declared once, imported by both ends. */
import type * as z from '../text/zod.ts';

/** A call that is answered exactly once. */
export interface RequestDef<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
	readonly method: string;
	readonly params: P;
	readonly result: R;
}

/** A one-way message; the receiver can always ask for a snapshot instead. */
export interface NotificationDef<P extends z.ZodType = z.ZodType> {
	readonly method: string;
	readonly params: P;
}

export function defineRequest<P extends z.ZodType, R extends z.ZodType>(
	method: string,
	params: P,
	result: R,
): RequestDef<P, R> {
	return { method, params, result };
}

export function defineNotification<P extends z.ZodType>(method: string, params: P): NotificationDef<P> {
	return { method, params };
}

export type RequestTable = Readonly<Record<string, RequestDef>>;
export type NotificationTable = Readonly<Record<string, NotificationDef>>;

/** Params and results as a caller sees them, for code that names no schema library. */
export type ParamsOf<D extends NotificationDef> = z.input<D['params']>;
export type ResultOf<D extends RequestDef> = z.output<D['result']>;
