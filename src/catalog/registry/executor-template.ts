/** Program of a new executor, which needs no package: all of the protocol that it speaks is in it, below the author's part. */
export const EXECUTOR_PROGRAM = `/** Runs capabilities of one type. Each execution is a process of its own, which ends with its result. */
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';

/**
 * Your part: what a capability of this type does. \`config\` is its whole manifest, with the fields that only your type has;
 * \`params\` are what it was started with; \`askOp\` asks for an effect with the permissions of the capability.
 */
async function runCapability({ config, params, askOp, report }) {
	const lines = {};
	for (const path of params.files ?? config.files ?? []) {
		report(\`reading \${path}\`);
		lines[path] = (await askOp('fs.read', { path })).totalLines;
	}
	return { said: config.say, lines };
}

// The rest speaks the protocol: docs/executors.md says what each frame means.
const waiting = new Map();
let lastDispatch = 0;
const channel = process.send === undefined ? await openSocketChannel() : await openParentChannel();
channel.send({ type: 'ready', protocol: 1 });

async function takeFrame(frame) {
	if (frame.type === 'dispatch_result') {
		const { resolve, reject } = waiting.get(frame.dispatchId) ?? {};
		waiting.delete(frame.dispatchId);
		if ('error' in frame) reject?.(Object.assign(new Error(frame.error.message), { code: frame.error.code }));
		else resolve?.(frame.ok);
	} else if (frame.type === 'cancel') {
		process.exit(1);
	} else if (frame.type === 'call') {
		const { callId, params, context } = frame;
		const askOp = (name, given) =>
			new Promise((resolve, reject) => {
				const dispatchId = \`d-\${(lastDispatch += 1)}\`;
				waiting.set(dispatchId, { resolve, reject });
				channel.send({ type: 'dispatch', dispatchId, op: name, params: given });
			});
		const reportProgress = (message, fraction) => channel.send({ type: 'progress', callId, message, fraction });
		try {
			const value = await runCapability({ config: context.capability.config, params: params ?? {}, context, askOp, report: reportProgress });
			channel.send({ type: 'result', callId, value });
		} catch (error) {
			channel.send({ type: 'result', callId, error: { message: String(error?.message ?? error) } });
		}
		channel.close();
	}
}

/** Node's own channel to its parent, where descriptor 3 does not work: one frame per message. */
async function openParentChannel() {
	process.on('disconnect', () => process.exit());
	const token = await new Promise((resolve) => process.once('message', resolve));
	process.send(\`open \${token}\`);
	let isClosing = false;
	process.on('message', (said) => {
		if (said === 'ping') process.send('pong');
		else if (said === 'pong' && isClosing) process.exit();
		else if (typeof said === 'object') void takeFrame(said);
	});
	return {
		send: (frame) => void process.send(frame),
		// An answer to it means that everything before it has arrived.
		close: () => void ((isClosing = true), process.send('ping')),
	};
}

/** A WebSocket over descriptor 3, on which the host first writes a line with the token. */
async function openSocketChannel() {
	const socket = new Socket({ fd: 3, readable: true, writable: true });
	socket.on('error', () => process.exit(1)).on('close', () => process.exit());
	let bytes = Buffer.alloc(0);
	const readUntil = (end) =>
		new Promise((resolve) => {
			const takePiece = (piece) => {
				bytes = Buffer.concat([bytes, piece]);
				const at = bytes.indexOf(end);
				if (at === -1) return;
				socket.off('data', takePiece);
				const head = bytes.toString('latin1', 0, at);
				bytes = bytes.subarray(at + end.length);
				resolve(head);
			};
			socket.on('data', takePiece);
		});
	const token = await readUntil('\\n');
	const head = [
		'GET /exec HTTP/1.1',
		'Host: localhost',
		'Connection: Upgrade',
		'Upgrade: websocket',
		'Sec-WebSocket-Version: 13',
		'Sec-WebSocket-Protocol: prowess.execution.v1',
		\`Sec-WebSocket-Key: \${randomBytes(16).toString('base64')}\`,
		\`Authorization: Bearer \${token}\`,
	];
	socket.write(\`\${head.join('\\r\\n')}\\r\\n\\r\\n\`);
	await readUntil('\\r\\n\\r\\n');
	const writeFrame = (opcode, data) => {
		const { length } = data;
		const size = length < 126 ? Buffer.from([length | 128]) : Buffer.alloc(length < 65_536 ? 3 : 9);
		if (size.length === 3) size.writeUInt16BE(length, size.writeUInt8(126 | 128));
		if (size.length === 9) size.writeBigUInt64BE(BigInt(length), size.writeUInt8(127 | 128));
		const mask = randomBytes(4);
		socket.write(Buffer.concat([Buffer.from([opcode | 128]), size, mask, data.map((byte, at) => byte ^ mask[at % 4])]));
	};
	const readFrames = () => {
		while (bytes.length >= 2) {
			const short = bytes[1] & 127;
			const from = short < 126 ? 2 : short === 126 ? 4 : 10;
			if (bytes.length < from) return;
			const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
			if (bytes.length < from + length) return;
			const [opcode, data] = [bytes[0] & 15, bytes.subarray(from, from + length)];
			bytes = bytes.subarray(from + length);
			if (opcode === 1) void takeFrame(JSON.parse(data.toString('utf8')));
			else if (opcode === 8) process.exit();
			else if (opcode === 9) writeFrame(10, data);
		}
	};
	socket.on('data', (piece) => {
		bytes = Buffer.concat([bytes, piece]);
		readFrames();
	});
	setImmediate(readFrames);
	return {
		send: (frame) => writeFrame(1, Buffer.from(JSON.stringify(frame))),
		close: () => writeFrame(8, Buffer.from([3, 232])),
	};
}
`;
