/** Runs something synchronous that might not end, for a bounded time. A regular expression can be stopped in no other way. */
import { type Context, createContext, Script } from 'node:vm';

const script = new Script('work()');
let context: Context | undefined;

/** Undefined when the time was over; what it throws is thrown. */
export function runWithin<T extends NonNullable<unknown>>(timeoutMs: number, work: () => T): T | undefined {
	context ??= createContext({});
	context['work'] = work;
	try {
		return script.runInContext(context, { timeout: timeoutMs }) as T;
	} catch (error) {
		// The error comes from the other context and has another class, so it is told by its code.
		if ((error as { readonly code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') {
			return undefined;
		}
		throw error;
	} finally {
		context['work'] = undefined;
	}
}
