/** This process stands still for so long: nothing else of it runs meanwhile, no timer and no message. */
export function blockTheLoop(ms: number): void {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
