/** Errors as a client of the Agent Client Protocol gets them: a sentence for its user, and our code with its facts. */
import { RequestError } from '@agentclientprotocol/sdk';
import { textForUser } from '../../protocol/errors/error-text.ts';
import { isProwessError, type ErrorCode } from '../../protocol/errors/errors.ts';

/** Codes of JSON-RPC and of the protocol; every other error is -32603. */
const WIRE_CODE: Partial<Record<ErrorCode, number>> = {
	NO_MODEL: -32_000,
	KEY_MISSING: -32_000,
	NOT_FOUND: -32_002,
	THREAD_NOT_FOUND: -32_002,
	INVALID_PARAMS: -32_602,
	MESSAGE_TOO_LONG: -32_602,
	NOT_AN_IMAGE: -32_602,
	IMAGE_TOO_LARGE: -32_602,
	NOT_A_FOLDER: -32_602,
	TURN_RUNNING: -32_600,
	CANCELLED: -32_800,
};

interface TurnError {
	readonly code: string;
	readonly message: string;
	readonly facts?: Readonly<Record<string, unknown>> | undefined;
}

export function toRequestError(error: unknown): RequestError {
	if (error instanceof RequestError) {
		return error;
	}
	if (isProwessError(error)) {
		return createRequestError(error);
	}
	return new RequestError(-32_603, 'Unexpected error in Prowess.', { code: 'INTERNAL' });
}

/** `error` as our own messages carry it. */
export function createRequestError({ code, message, facts }: TurnError): RequestError {
	const said = textForUser({ code, message, facts }, (template) => template);
	const wire = WIRE_CODE[code as ErrorCode] ?? -32_603;
	return new RequestError(wire, said, { code, detail: message });
}
