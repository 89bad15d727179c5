/**
 * Everything that can go wrong and that someone will act on. Code outside checks `code`, never the message.
 * A message says what failed, on what, with which value or limit; no final full stop.
 */

export const ERROR_CODES = [
	// A request that cannot be meant
	'INVALID_PARAMS',
	'INVALID_STATE',
	'UNKNOWN_OP',
	'UNKNOWN_TOOL',
	'NOT_AVAILABLE_HERE',
	'MESSAGE_TOO_LONG',
	'SECRETS_IN_MEMORY',
	'MEMORY_FULL',
	'SECRETS_IN_MESSAGE',
	'NOT_AN_IMAGE',
	'IMAGE_TOO_LARGE',
	'TOO_MANY_IMAGES',
	'IMAGE_MISSING',
	// The gate
	'DENIED_BY_USER',
	'DENIED_BY_RULE',
	'DENIED_BY_ORGANISATION',
	'ORGANISATION_RULES_REFUSED',
	'ACCESS_DENIED',
	'APPROVAL_EXPIRED',
	'ANSWERED_TOO_LATE',
	'WORKSPACE_UNTRUSTED',
	'RATE_LIMITED',
	'PROTOCOL_VIOLATION',
	// The ledger
	'LEDGER_UNWRITABLE',
	'OUTCOME_IN_DOUBT',
	// Files
	'PATH_INVALID',
	'PATH_OUTSIDE_WORKSPACE',
	'NOT_FOUND',
	'NOT_A_FILE',
	'WORKSPACE_FOLDER_GONE',
	'FILE_HAS_OTHER_NAMES',
	'NOT_A_FOLDER',
	'FILE_TOO_LARGE',
	'FILE_IS_BINARY',
	'FILE_CHANGED',
	'FILE_NOT_READ',
	'TEXT_LEFT_OUT',
	'EDIT_NO_MATCH',
	'EDIT_AMBIGUOUS',
	'ALREADY_EXISTS',
	'IO_ERROR',
	'TEMPORARY_FOLDER_UNUSABLE',
	// Commands and other effects
	'COMMAND_NOT_FOUND',
	'COMMAND_FAILED_TO_START',
	'NO_REPOSITORY',
	'HOST_REFUSED',
	'REQUEST_FAILED',
	'RESPONSE_TOO_LARGE',
	'SECRET_NOT_FOUND',
	'SEARCH_NOT_SET_UP',
	'SEARCH_REFUSED',
	'SEARCH_LIMITED',
	'SQL_ERROR',
	'DATA_MALFORMED',
	'MCP_SAMPLING_REFUSED',
	'MCP_SERVER_FAILED',
	'MCP_SIGN_IN_FAILED',
	'MCP_TOOL_CHANGED',
	'TIMEOUT',
	'CANCELLED',
	// Threads and turns
	'THREAD_NOT_FOUND',
	'THREAD_BUSY',
	'CLAIM_LOST',
	'TURN_RUNNING',
	'TURN_NOT_FOUND',
	'ITERATION_LIMIT',
	'COST_LIMIT',
	'PRICE_UNKNOWN',
	'GOING_IN_CIRCLES',
	'CLAIM_UNPROVEN',
	'ANSWER_REPEATS',
	'ANSWERS_CUT',
	'CALL_REPEATED',
	'STORE_UNAVAILABLE',
	'STORE_NEWER',
	// Models
	'MODEL_NOT_FOUND',
	'NO_MODEL',
	'IMAGES_NOT_TAKEN',
	'KEY_MISSING',
	'PROVIDER_UNREACHABLE',
	'PROVIDER_AUTH',
	'PROVIDER_RATE_LIMITED',
	'PROVIDER_OVERLOADED',
	'PROVIDER_BILLING',
	'PROVIDER_ERROR',
	'MODEL_REFUSED',
	'ANSWER_FILTERED',
	'CONTEXT_OVERFLOW',
	'STREAM_CUT',
	'STREAM_MALFORMED',
	'ARGUMENTS_TOO_LONG',
	'MODEL_CONSENT_REFUSED',
	'BUDGET_EXCEEDED',
	'QUOTA_EXCEEDED',
	// Capabilities and their executions
	'CAPABILITY_NOT_FOUND',
	'EXECUTOR_NOT_FOUND',
	'INVALID_CAPABILITY_CONFIG',
	'INVALID_EXECUTOR_CONFIG',
	'REGISTRY_NOT_INITIALIZED',
	'INVALID_REQUEST',
	'EXECUTION_TIMEOUT',
	'EXECUTION_FAILED',
	'STEP_FAILED',
	'CONNECTION_FAILED',
	'PROCESS_CRASHED',
	'SYNTAX_ERROR',
	'ACTION_BLOCK_NOT_FOUND',
	'INVALID_ACTION_BLOCK',
	'TOO_MANY_DISPATCHES',
	'CAPABILITY_DISABLED',
	'DOWNLOAD_FAILED',
	'EXTRACTION_FAILED',
	// Processes
	'SERVER_GONE',
	'SERVER_DEGRADED',
	'VERSION_MISMATCH',
	'INTERNAL',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export type ErrorFacts = Readonly<Record<string, unknown>>;

/** An error with a code and typed facts. `facts` crosses wires, so it holds plain data only. */
export class ProwessError extends Error {
	override readonly name = 'ProwessError';
	readonly code: ErrorCode;
	readonly facts: ErrorFacts;

	constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}, cause?: unknown) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
		this.facts = facts;
	}

	/** Restores an error from `WireError.data`; undefined if the data is not one of ours. */
	static fromData(message: string, data: unknown): ProwessError | undefined {
		if (typeof data !== 'object' || data === null || !('code' in data) || !isErrorCode(data.code)) {
			return undefined;
		}
		const facts = 'facts' in data && typeof data.facts === 'object' && data.facts !== null ? data.facts : {};
		return new ProwessError(data.code, message, facts as ErrorFacts);
	}
}

export function isErrorCode(value: unknown): value is ErrorCode {
	return typeof value === 'string' && (ERROR_CODES as readonly string[]).includes(value);
}

export function isProwessError(value: unknown): value is ProwessError {
	// A bundle that is loaded late has a class of its own.
	return value instanceof Error && value.name === 'ProwessError' && 'code' in value && isErrorCode(value.code);
}
