/** A real `prowess acp` as an editor starts it. Every line that it sends is validated against the schema of the protocol's own package. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { programs } from '../../support/programs.ts';
import { waitFor } from '../../support/wait-for.ts';
import { commandLimitMs, type User } from './cli-process.ts';

interface AcpSchema {
	readonly $defs: Readonly<Record<string, { readonly 'x-method'?: string }>>;
}
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
const schemas = [1, 2].map((version) => {
	const schema = createRequire(import.meta.url)(`@agentclientprotocol/sdk/schema/v${version}/schema.json`) as AcpSchema;
	ajv.addSchema(schema, `acp${version}`);
	return schema;
});

/** Throws for a message that the schema of the version does not allow. `methodOf`: method of an answered request. */
function checkAcpMessage(version: 1 | 2, line: string, methodOf: (id: unknown) => string | undefined): void {
	const message = JSON.parse(line) as Record<string, unknown>;
	assert.equal(message['jsonrpc'], '2.0', line);
	if ('error' in message) {
		check(version, 'Error', message['error'], line);
		return;
	}
	const method = 'method' in message ? String(message['method']) : methodOf(message['id']);
	if (method === '$/cancel_request') return;
	const ending = !('method' in message) ? 'Response' : 'id' in message ? 'Request' : 'Notification';
	const def = Object.entries(schemas[version - 1]?.$defs ?? {}).find(
		([name, each]) => each['x-method'] === method && name.endsWith(ending),
	);
	assert.ok(def !== undefined, `no ${ending} of ${method ?? 'an unknown request'}: ${line}`);
	check(version, def[0], 'method' in message ? message['params'] : message['result'], line);
}

/** Fields that the schema does not name are faults, too: what is ours goes into `_meta`. */
function check(version: 1 | 2, def: string, value: unknown, line: string): void {
	const id = `${def} of ${version}`;
	const validate =
		ajv.getSchema(id) ?? ajv.compile({ $id: id, $ref: `acp${version}#/$defs/${def}`, unevaluatedProperties: false });
	assert.ok(validate(value) === true, `${def}: ${ajv.errorsText(validate.errors)}: ${line}`);
}

export class AcpProcess {
	readonly child: ChildProcess;
	/** Lines of Prowess, each valid. */
	readonly lines: string[] = [];
	readonly faults: unknown[] = [];
	readonly ended: Promise<number | null>;
	protected readonly stream: Stream;
	stderr = '';

	/** `version`: that of the lines which Prowess sends. */
	constructor(user: User, words: readonly string[], env: Readonly<Record<string, string>> = {}, version: 1 | 2 = 1) {
		this.child = spawn(process.execPath, [programs.cli, 'acp', ...words], {
			cwd: user.root,
			env: { ...user.environment, ...env },
			stdio: ['pipe', 'pipe', 'pipe'],
		});
		const { stdin, stdout, stderr } = this.child;
		assert.ok(stdin !== null && stdout !== null && stderr !== null);
		stderr.setEncoding('utf8').on('data', (chunk: string) => (this.stderr += chunk));
		stdin.on('error', () => {});
		this.ended = new Promise((resolve) => this.child.once('close', resolve));
		const sent = new Map<unknown, string>();
		const output = new WritableStream<Uint8Array>({
			write: async (bytes) => {
				for (const line of Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)) {
					const message = JSON.parse(line) as { id?: unknown; method?: string };
					if (message.method !== undefined && message.id !== undefined) sent.set(message.id, message.method);
				}
				await new Promise<void>((resolve) => stdin.write(bytes, () => resolve()));
			},
		});
		let rest = '';
		const seen = new TransformStream<Uint8Array, Uint8Array>({
			transform: (bytes, controller) => {
				rest += Buffer.from(bytes).toString('latin1');
				const lines = rest.split('\n');
				rest = lines.pop() ?? '';
				for (const latin of lines) {
					const line = Buffer.from(latin, 'latin1').toString('utf8');
					this.lines.push(line);
					try {
						checkAcpMessage(version, line, (id) => sent.get(id));
					} catch (error) {
						this.faults.push(error);
					}
				}
				controller.enqueue(bytes);
			},
		});
		const input = (Readable.toWeb(stdout) as ReadableStream<Uint8Array>).pipeThrough(seen);
		this.stream = ndJsonStream(output, input);
	}

	async has(what: string, isThere: () => boolean): Promise<void> {
		await waitFor(`${what}; standard error: ${this.stderr}`, isThere, commandLimitMs);
	}

	/** The editor is closed, as one that ends properly. */
	async leaves(): Promise<void> {
		this.child.stdin?.end();
		assert.equal(await this.ended, 0, this.stderr);
		assert.deepEqual(this.faults, []);
	}
}
