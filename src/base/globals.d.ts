/**
 * The few globals that every process of ours has (Node and browser alike). `base` and `protocol` are checked
 * without the ambient types of either, so that using anything else there does not compile.
 */
interface AbortSignal {
	readonly aborted: boolean;
	readonly reason: unknown;
	throwIfAborted(): void;
	addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
	removeEventListener(type: 'abort', listener: () => void): void;
}
interface AbortController {
	readonly signal: AbortSignal;
	abort(reason?: unknown): void;
}
declare const AbortController: { new (): AbortController };
declare function setTimeout(callback: () => void, ms: number): number;
declare function clearTimeout(timer: number): void;
declare function setInterval(callback: () => void, ms: number): number;
declare function clearInterval(timer: number): void;
declare const performance: { now(): number };
