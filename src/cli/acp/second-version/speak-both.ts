/**
 * Version 2 of the Agent Client Protocol, a draft, for `prowess acp --protocol 2`: a bundle of its own. Translates its
 * frames to those of version 1 and back, so that one session serves both. A client that greets in version 1 is left alone.
 */
import type {
	AnyMessage,
	CreateElicitationRequest,
	RequestPermissionRequest,
	SessionNotification,
	Stream,
} from '@agentclientprotocol/sdk';
import { permissionToSecondVersion, resultToSecondVersion, updateToSecondVersion } from './agent-frames.ts';
import { greetingToFirstVersion, isFields, toFirstVersion, type AnswerError } from './client-frames.ts';
import { OWN_WORDS } from './marks.ts';
import { type FrameId, stateOfSession, TurnsUnderWay, updateOfSession } from './turns-under-way.ts';

export function speakBoth({ readable, writable }: Stream): Stream {
	const interpreter = new FrameInterpreter();
	const writer = writable.getWriter();
	const say = async (frames: readonly AnyMessage[]) => {
		for (const frame of frames) await writer.write(frame);
	};
	const heard = new TransformStream<AnyMessage, AnyMessage>({
		async transform(frame, controller) {
			const { toAgent, toClient } = interpreter.fromClient(frame);
			await say(toClient);
			if (toAgent !== undefined) controller.enqueue(toAgent);
		},
	});
	return {
		readable: readable.pipeThrough(heard),
		writable: new WritableStream<AnyMessage>({
			write: async (frame) => await say(interpreter.fromAgent(frame)),
			close: async () => await writer.close(),
			abort: async (reason) => await writer.abort(reason),
		}),
	};
}

interface InterpretedFrame {
	readonly toAgent?: AnyMessage;
	readonly toClient: readonly AnyMessage[];
}

class FrameInterpreter {
	readonly #turns = new TurnsUnderWay();
	/** Requests of the client without their answers. */
	readonly #requests = new Map<FrameId, { readonly method: string; readonly sessionId: string }>();
	/** Undefined before the greeting. */
	#version: 1 | 2 | undefined;
	#isGreetingOnly = true;

	fromClient(frame: AnyMessage): InterpretedFrame {
		const isGreeting = 'method' in frame && frame.method === 'initialize' && 'id' in frame;
		if (isGreeting && this.#version !== 1) {
			return this.#greeted(frame.id, frame.params, frame);
		}
		if (this.#version !== 2 || Array.isArray(frame)) {
			return { toAgent: frame, toClient: [] };
		}
		this.#isGreetingOnly = false;
		if (!('method' in frame)) {
			return { toAgent: frame, toClient: this.#turns.answered(frame.id) };
		}
		const asked = toFirstVersion(frame.method, frame.params);
		if ('refused' in asked) {
			return { toClient: 'id' in frame ? [refusedFrame(frame.id, asked.refused)] : [] };
		}
		return 'id' in frame
			? { toAgent: this.#request(frame.id, asked.method, asked.params), toClient: [] }
			: this.#notification(asked.method, asked.params);
	}

	fromAgent(frame: AnyMessage): AnyMessage[] {
		if (this.#version !== 2) {
			return [frame];
		}
		if (!('method' in frame)) {
			return this.#answer(frame);
		}
		switch (frame.method) {
			case 'session/update':
				return this.#update(frame.params as SessionNotification);
			case 'session/request_permission': {
				const params = permissionToSecondVersion(frame.params as RequestPermissionRequest);
				return [...this.#asked(frame, params.sessionId), { ...frame, params }];
			}
			case 'elicitation/create': {
				const { sessionId } = frame.params as CreateElicitationRequest & { readonly sessionId?: string };
				return [...(sessionId === undefined ? [] : this.#asked(frame, sessionId)), frame];
			}
			case '$/cancel_request': {
				const { requestId } = frame.params as { readonly requestId: FrameId };
				return [frame, ...this.#turns.answered(requestId)];
			}
			default:
				return [frame];
		}
	}

	#greeted(id: FrameId, params: unknown, frame: AnyMessage): InterpretedFrame {
		const version = isFields(params) ? params['protocolVersion'] : undefined;
		const isSecond = Number.isInteger(version) && Number(version) >= 2;
		if (!isFields(params) || !isSecond) {
			if (this.#version === 2) {
				return { toClient: [refusedFrame(id, { code: -32_600, message: 'version 2 was agreed on' })] };
			}
			this.#version = Number.isInteger(version) ? 1 : undefined;
			return { toAgent: frame, toClient: [] };
		}
		if (!this.#isGreetingOnly) {
			return { toClient: [refusedFrame(id, { code: -32_600, message: 'the greeting comes first' })] };
		}
		const asked = greetingToFirstVersion(params);
		if ('refused' in asked) {
			return { toClient: [refusedFrame(id, asked.refused)] };
		}
		this.#version = 2;
		return { toAgent: this.#request(id, asked.method, asked.params), toClient: [] };
	}

	#request(id: FrameId, method: string, params: unknown): AnyMessage {
		const given = isFields(params) ? params['sessionId'] : undefined;
		const sessionId = typeof given === 'string' ? given : '';
		if (method === 'session/prompt') {
			return { jsonrpc: '2.0', id: this.#turns.begin(id, sessionId), method, params };
		}
		this.#requests.set(id, { method, sessionId });
		return { jsonrpc: '2.0', id, method, params };
	}

	#notification(method: string, params: unknown): InterpretedFrame {
		const cancelled = method === '$/cancel_request' && isFields(params) ? params['requestId'] : undefined;
		const requestId = cancelled === undefined ? undefined : this.#turns.waitingAs(cancelled as FrameId);
		const told = requestId === undefined ? params : { requestId };
		return { toAgent: { jsonrpc: '2.0', method, params: told }, toClient: [] };
	}

	#answer(frame: Exclude<AnyMessage, { readonly method: string }>): AnyMessage[] {
		const ended = this.#turns.ended(frame.id, frame);
		if (ended !== undefined) {
			return ended;
		}
		const request = this.#requests.get(frame.id);
		this.#requests.delete(frame.id);
		if (request === undefined || !('result' in frame)) {
			return [frame];
		}
		const { method, sessionId } = request;
		const isAgain = method === 'session/load' || method === 'session/resume';
		const answer = { ...frame, result: resultToSecondVersion(method, frame.result) };
		return [...(isAgain ? [stateOfSession(sessionId, { state: 'idle' })] : []), answer];
	}

	#update({ sessionId, update }: SessionNotification): AnyMessage[] {
		const said = updateToSecondVersion(update);
		const isOwn = update.sessionUpdate === 'user_message_chunk' && update._meta?.[OWN_WORDS] === true;
		return [
			...(said === undefined ? [] : [updateOfSession(sessionId, said)]),
			...(isOwn ? this.#turns.inserted(sessionId, update.messageId ?? '') : []),
		];
	}

	#asked(frame: AnyMessage, sessionId: string): AnyMessage[] {
		return 'id' in frame ? this.#turns.asked(frame.id, sessionId) : [];
	}
}

function refusedFrame(id: FrameId, error: AnswerError): AnyMessage {
	return { jsonrpc: '2.0', id, error };
}
