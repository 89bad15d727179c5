/** A step that did not work, with what the reader can do about it. Only these are shown without a stack. */
export class StepFailed extends Error {
	/**
	 * @param {string} message what failed, on what, with which value or limit
	 * @param {{ advice: string, output?: string, cause?: unknown }} facts
	 */
	constructor(message, { advice, output = '', cause }) {
		super(message, { cause });
		this.name = 'StepFailed';
		this.advice = advice;
		this.output = output;
	}
}

/** Prints a failure for a human. @param {unknown} error */
export function explain(error) {
	if (!(error instanceof StepFailed)) return console.error(error);
	if (error.output !== '') console.error(error.output);
	console.error(`\n✗ ${error.message}\n  ${error.advice}`);
}
