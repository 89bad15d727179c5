/**
 * Texts of each code for its three audiences. A code without its texts does not compile.
 *
 * `{name}` in a text is a fact of the error, `{message}` its message. Where a list of texts is given, the first counts whose
 * facts are all known. To add an error: its code in `../errors.ts`, its texts here, German in `l10n/bundle.l10n.de.json`.
 */
import type { ErrorCode } from '../errors.ts';

interface ErrorTexts {
	/** For the log: what kind of failure this is. The message and the facts follow it there. */
	readonly log: string;
	/** For the user: what happened and why, each text the key of its translation. The final full stop may be left to the last fact. */
	readonly user: string | readonly string[];
	/** For the user: what to do about it, where anything can be done. Also a key. */
	readonly wayOut?: string;
	/** The user's text tells the whole story, although it names no fact: no detail is shown below it. */
	readonly isWhole?: true;
	/** For the model: what happened and what to do next. The code stands before it. */
	readonly model: string | readonly string[];
}

/** Text for the model where the message is enough. */
const message = '{message}';

export const ERROR_CATALOG: { readonly [C in ErrorCode]: ErrorTexts } = {
	INVALID_PARAMS: {
		log: 'a request does not fit its schema',
		user: 'This request is not valid: {message}',
		model: message,
	},
	INVALID_STATE: {
		log: 'a request came at a time when it cannot be done',
		user: '{message}',
		model: message,
	},
	UNKNOWN_OP: {
		log: 'an op was named that does not exist',
		user: ['There is no op named "{op}".', 'There is no such op.'],
		model: message,
	},
	UNKNOWN_TOOL: {
		log: 'a model called a tool that does not exist',
		user: 'The model called a tool that does not exist.',
		isWhole: true,
		model: message,
	},
	NOT_AVAILABLE_HERE: {
		log: 'a request needs what this host does not have',
		user: 'This is not available here: {message}',
		model: message,
	},
	MESSAGE_TOO_LONG: {
		log: 'a message is longer than a thread takes',
		user: ['The message has {length} characters; at most {limit} can be sent.', 'The message is too long.'],
		wayOut: 'Shorten the message, or attach the long part as a file.',
		model: message,
	},
	SECRETS_IN_MESSAGE: {
		log: 'a message of the user holds what looks like a secret',
		user: 'The message contains what looks like a key, so it was not sent.',
		isWhole: true,
		model: message,
	},
	DENIED_BY_USER: {
		log: 'the user denied an op',
		user: ['You denied this: {reason}', 'You denied this.'],
		isWhole: true,
		model: [
			'{message}. Follow what they say instead: "{reason}".',
			'{message}. Do not try it again or another way around it: ask what they want, or go on without it.',
		],
	},
	DENIED_BY_RULE: {
		log: 'the gate refused an op',
		user: ['Not allowed. {reason}', 'Not allowed: {message}'],
		model: '{message}. Do not try this again or another way around it; explain what you need, or go on without.',
	},
	APPROVAL_EXPIRED: {
		log: 'nobody answered a question in time',
		user: ['Nobody answered within {minutes} minutes, so this was not done.', 'Nobody answered, so this was not done.'],
		isWhole: true,
		model: '{message}. Do not try it again now: go on without it, or end and say what is open.',
	},
	WORKSPACE_UNTRUSTED: {
		log: 'something was asked for in a workspace that is not trusted',
		user: [
			'"{path}" is not trusted, so nothing in it is read, changed or run.',
			'This workspace is not trusted, so nothing in it is read, changed or run.',
		],
		wayOut: 'Trust the workspace to continue.',
		isWhole: true,
		model: '{message}. Ask the user to trust it.',
	},
	RATE_LIMITED: {
		log: 'an op or a sender reached its limit',
		user: [
			'{op} reached its limit of {limit} in 60 minutes. It can run again in {minutes} min.',
			'Too many requests in a short time.',
		],
		wayOut: 'Wait, then try again.',
		isWhole: true,
		model: '{message}. Wait, or do without it.',
	},
	PROTOCOL_VIOLATION: {
		log: 'a far end broke the protocol',
		user: 'The program was stopped because it broke the rules of its channel: {message}',
		model: message,
	},
	LEDGER_UNWRITABLE: {
		log: 'the ledger cannot be written',
		user: [
			'This was done, but it could not be recorded in the ledger: {done}. Do not repeat it.',
			'The ledger cannot be written, so nothing is done.',
		],
		wayOut: 'The disk may be full. Free some space and try again.',
		model: message,
	},
	OUTCOME_IN_DOUBT: {
		log: 'an op began before and its end was not recorded',
		user: 'This started, but no result was recorded. It will not be retried.',
		wayOut: 'Check the result before you continue.',
		model: '{message}. It may have taken effect: look before you do it again.',
	},
	PATH_INVALID: {
		log: 'a path cannot be used',
		user: '{message}',
		model: message,
	},
	PATH_OUTSIDE_WORKSPACE: {
		log: 'a path leads out of the workspace',
		user: ['"{path}" is outside the workspace.', 'This path is outside the workspace.'],
		isWhole: true,
		model: message,
	},
	NOT_FOUND: {
		log: 'something that was named does not exist',
		user: ['"{path}" does not exist.', '{message}'],
		model: message,
	},
	NOT_A_FILE: {
		log: 'a path names something other than a file',
		user: ['"{path}" is not a regular file.', '{message}'],
		model: message,
	},
	NOT_A_FOLDER: {
		log: 'a path names something other than a folder',
		user: ['"{path}" is not a folder.', '{message}'],
		model: message,
	},
	FILE_TOO_LARGE: {
		log: 'a file is larger than its limit',
		user: ['"{path}" is too large: {bytes} bytes, the limit is {limit}.', '{message}'],
		model: message,
	},
	FILE_IS_BINARY: {
		log: 'a file is not text',
		user: ['"{path}" is not a text file.', '{message}'],
		model: message,
	},
	FILE_CHANGED: {
		log: 'a file changed between looking and acting',
		user: ['"{path}" has changed meanwhile, so it was left as it is.', '{message}'],
		model: message,
	},
	EDIT_NO_MATCH: {
		log: 'the text to replace was not found',
		user: ['The text to replace is not in "{path}", so nothing was changed.', '{message}'],
		model: message,
	},
	EDIT_AMBIGUOUS: {
		log: 'the text to replace was found more than once',
		user: ['The text to replace is in "{path}" more than once, so nothing was changed.', '{message}'],
		model: message,
	},
	ALREADY_EXISTS: {
		log: 'something of that name exists',
		user: ['"{path}" already exists.', '{message}'],
		wayOut: 'Choose another name.',
		model: message,
	},
	IO_ERROR: {
		log: 'the system refused to read or write',
		user: '{message}',
		model: message,
	},
	TEMPORARY_FOLDER_UNUSABLE: {
		log: 'the folder for temporary files cannot be used',
		user: ['The folder for temporary files, {path}, is missing or cannot be written.', '{message}'],
		wayOut: 'Create that folder, or set TMPDIR to another one, and start Prowess again.',
		model: message,
	},
	COMMAND_NOT_FOUND: {
		log: 'a program was not found',
		user: ['The program "{program}" was not found.', '{message}'],
		wayOut: 'Install the program, or check PATH.',
		model: message,
	},
	COMMAND_FAILED_TO_START: {
		log: 'a program could not be started',
		user: '{message}',
		model: message,
	},
	NO_REPOSITORY: {
		log: 'there is no git repository',
		user: ['There is no Git repository in "{folder}" that can be read.', 'There is no Git repository here.'],
		model: message,
	},
	HOST_REFUSED: {
		log: 'a host on this machine or its network was refused',
		user: ['{host} is on this machine or its network, so the connection was refused.', '{message}'],
		wayOut: 'To allow it, add the host to the setting prowess.http.allowHosts.',
		model: '{message}. Only the user can allow that, in prowess.http.allowHosts.',
	},
	REQUEST_FAILED: {
		log: 'a request over HTTP failed',
		user: '{message}',
		model: message,
	},
	RESPONSE_TOO_LARGE: {
		log: 'a response is larger than its limit',
		user: '{message}',
		model: message,
	},
	SECRET_NOT_FOUND: {
		log: 'a secret is not stored',
		user: ['There is no secret named "{name}".', '{message}'],
		wayOut: 'Store the secret with the command "Prowess: Store a Secret…".',
		model: message,
	},
	SQL_ERROR: {
		log: 'a database refused a statement',
		user: 'The database could not do this: {message}',
		model: message,
	},
	DATA_MALFORMED: {
		log: 'data does not have the form it should have',
		user: 'The data cannot be used: {message}',
		model: message,
	},
	TIMEOUT: {
		log: 'a time limit passed',
		user: ['This took longer than {seconds} seconds and was stopped.', 'This took too long and was stopped.'],
		model: '{message}. Do less at once, or run it in the background.',
	},
	CANCELLED: {
		log: 'something was stopped on request',
		user: 'This was stopped.',
		isWhole: true,
		model: message,
	},
	THREAD_NOT_FOUND: {
		log: 'a thread does not exist',
		user: 'This thread does not exist. It may have been deleted.',
		model: message,
	},
	THREAD_BUSY: {
		log: 'another process works on the thread',
		user: 'Another window or terminal is working in this thread.',
		wayOut: 'Wait until it is done, take the thread over, or start a new one.',
		model: message,
	},
	TURN_RUNNING: {
		log: 'a turn is running in the thread',
		user: 'The agent is still working in this thread.',
		wayOut: 'Wait until it is done, or stop it.',
		model: message,
	},
	TURN_NOT_FOUND: {
		log: 'a turn does not exist',
		user: 'This message is no longer part of the thread.',
		model: message,
	},
	ITERATION_LIMIT: {
		log: 'a turn reached its limit of model calls',
		user: ['Stopped after {limit} model calls.', 'Stopped at the limit of model calls.'],
		wayOut: 'Continue, or raise prowess.agent.maxIterations.',
		model: message,
	},
	STORE_UNAVAILABLE: {
		log: 'a store cannot be read or written',
		user: 'Prowess could not save its data.',
		wayOut: 'The disk may be full. Free some space and try again.',
		model: message,
	},
	STORE_NEWER: {
		log: 'a store was written by a newer version',
		user: 'A newer version of Prowess has written these conversations.',
		wayOut: 'Update Prowess to open them.',
		model: message,
	},
	MODEL_NOT_FOUND: {
		log: 'a model does not exist',
		user: 'The provider does not have this model.',
		wayOut: 'Choose another model.',
		model: message,
	},
	NO_MODEL: {
		log: 'no model is connected',
		user: 'No model is connected yet.',
		wayOut: 'Connect a model to continue.',
		isWhole: true,
		model: message,
	},
	KEY_MISSING: {
		log: 'there is no key for a provider',
		user: ['There is no key for the provider "{provider}".', 'There is no key for this provider.'],
		wayOut: 'Connect the provider again to enter a key.',
		model: message,
	},
	PROVIDER_UNREACHABLE: {
		log: 'a provider does not answer',
		user: 'The provider does not answer.',
		wayOut: 'Check the address and your network.',
		model: message,
	},
	PROVIDER_AUTH: {
		log: 'a provider refused the key',
		user: 'The provider does not accept this key.',
		wayOut: 'Check the key, or enter another one.',
		model: message,
	},
	PROVIDER_RATE_LIMITED: {
		log: 'a provider limits its requests',
		user: 'The rate limit of the provider is reached.',
		wayOut: 'Try again in a moment.',
		model: message,
	},
	PROVIDER_OVERLOADED: {
		log: 'a provider is overloaded',
		user: 'The provider is overloaded.',
		wayOut: 'Try again later, or switch the model.',
		model: message,
	},
	PROVIDER_ERROR: {
		log: 'a provider could not answer',
		user: 'The provider could not answer.',
		wayOut: 'Try again, or switch the model.',
		model: message,
	},
	CONTEXT_OVERFLOW: {
		log: 'a conversation does not fit the model',
		user: 'This conversation no longer fits the model.',
		wayOut: 'Start a new thread, or switch to a model with a larger context.',
		model: message,
	},
	STREAM_CUT: {
		log: 'the stream of a model ended early',
		user: 'The response was cut off. The part received is shown above.',
		model: message,
	},
	STREAM_MALFORMED: {
		log: 'the stream of a model cannot be read',
		user: 'The model sent a response that cannot be used.',
		wayOut: 'Try again, or switch the model.',
		model: message,
	},
	MODEL_CONSENT_REFUSED: {
		log: 'the editor refused a model',
		user: 'The editor was not allowed to use this model.',
		wayOut: 'Try again and allow it, or switch the model.',
		model: message,
	},
	BUDGET_EXCEEDED: {
		log: 'an execution used up its budget of model calls',
		user: ['The capability used up its budget for models ({setting}).', '{message}'],
		model: '{message}. Do with what there is, or ask the user for more.',
	},
	CAPABILITY_NOT_FOUND: {
		log: 'a capability does not exist',
		user: '{message}',
		model: message,
	},
	EXECUTOR_NOT_FOUND: {
		log: 'no executor runs the type',
		user: '{message}',
		model: message,
	},
	INVALID_CAPABILITY_CONFIG: {
		log: 'a capability is not valid',
		user: 'This capability is not valid: {message}',
		model: message,
	},
	INVALID_EXECUTOR_CONFIG: {
		log: 'an executor is not valid',
		user: 'This executor is not valid: {message}',
		model: message,
	},
	REGISTRY_NOT_INITIALIZED: {
		log: 'the registry of capabilities is closed',
		user: 'The capabilities are not loaded.',
		wayOut: 'Reload the window.',
		model: message,
	},
	INVALID_REQUEST: {
		log: 'a capability was asked for something it does not take',
		user: '{message}',
		model: message,
	},
	EXECUTION_TIMEOUT: {
		log: 'an execution took too long',
		user: 'The capability was stopped: {message}',
		model: message,
	},
	EXECUTION_FAILED: {
		log: 'a capability failed',
		user: '{message}',
		model: message,
	},
	CONNECTION_FAILED: {
		log: 'an executor did not connect',
		user: 'The capability could not be started: {message}',
		model: message,
	},
	PROCESS_CRASHED: {
		log: 'an executor crashed',
		user: 'The capability crashed: {message}',
		model: message,
	},
	SYNTAX_ERROR: {
		log: 'a module does not parse',
		user: 'The capability has a syntax error: {message}',
		model: message,
	},
	ACTION_BLOCK_NOT_FOUND: {
		log: 'a capability has nothing to run',
		user: 'The capability has nothing to run: {message}',
		model: message,
	},
	INVALID_ACTION_BLOCK: {
		log: 'a capability exports nothing that can be run',
		user: 'The capability cannot be run: {message}',
		model: message,
	},
	TOO_MANY_DISPATCHES: {
		log: 'an execution asked for too many ops at once',
		user: 'The capability asked for too much at once: {message}',
		model: message,
	},
	CAPABILITY_DISABLED: {
		log: 'a capability is disabled',
		user: '{message}',
		model: message,
	},
	DOWNLOAD_FAILED: {
		log: 'something could not be fetched for the marketplace',
		user: '{message}',
		model: message,
	},
	EXTRACTION_FAILED: {
		log: 'a package cannot be unpacked',
		user: '{message}',
		model: message,
	},
	SERVER_GONE: {
		log: 'the server process is gone',
		user: 'The Prowess server stopped.',
		wayOut: 'It restarts with your next request.',
		model: message,
	},
	SERVER_DEGRADED: {
		log: 'the server process stopped too often',
		user: 'The Prowess server keeps stopping and will not restart on its own.',
		wayOut: 'Restart the server, or open the logs.',
		model: message,
	},
	VERSION_MISMATCH: {
		log: 'two processes speak different versions of the protocol',
		user: 'Two parts of Prowess have different versions.',
		wayOut: 'Reload the window.',
		model: message,
	},
	INTERNAL: {
		log: 'a fault of Prowess',
		user: 'Something went wrong inside Prowess.',
		wayOut: 'The logs say more.',
		model: message,
	},
};
