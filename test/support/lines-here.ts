/** A program at the far end of a command in the process of the spec: writes and reads one message of JSON on a line. */
import type { CommandHere } from './command-here.ts';

export class LinesHere {
	readonly command: CommandHere;
	/** Hears each message; for the official client of MCP, whose transport this can be. */
	onmessage: ((message: never) => void) | undefined;
	onclose: (() => void) | undefined;
	onerror: ((error: Error) => void) | undefined;
	#rest = '';

	constructor(command: CommandHere) {
		this.command = command;
	}

	start(): Promise<void> {
		this.command.output.on('data', (chunk: string) => {
			const lines = (this.#rest + chunk).split('\n');
			this.#rest = lines.pop() ?? '';
			for (const line of lines) if (line !== '') this.onmessage?.(JSON.parse(line) as never);
		});
		return Promise.resolve();
	}

	send(message: object): Promise<void> {
		this.command.stdin.write(`${JSON.stringify(message)}\n`);
		return Promise.resolve();
	}

	/** Goes away, as a program that ends; resolves when the command has ended. */
	async close(): Promise<void> {
		this.command.stdin.end();
		await this.command.ended;
		this.onclose?.();
		this.onclose = undefined;
	}
}
