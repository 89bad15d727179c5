/** Errors of effects: files, commands, requests and data. */
import { messageOnly, type SomeErrorTexts } from './texts.ts';

export const effectErrors = {
	PATH_INVALID: {
		log: 'a path cannot be used',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	PATH_OUTSIDE_WORKSPACE: {
		log: 'a path leads out of the workspace',
		user: ['"{path}" is outside the workspace.', 'This path is outside the workspace.'],
		isWhole: true,
		model: messageOnly,
	},
	NOT_FOUND: {
		log: 'something that was named does not exist',
		user: ['{said}', '"{path}" does not exist.', '{message}'],
		model: messageOnly,
	},
	WORKSPACE_FOLDER_GONE: {
		log: 'a folder of the workspace was moved, renamed or deleted',
		user: [
			'The folder "{path}" is no longer there. Nothing was sent.',
			'A folder of the workspace is no longer there. Nothing was sent.',
		],
		wayOut: 'Open the folder where it is now, or put it back.',
		isWhole: true,
		model: messageOnly,
	},
	NOT_A_FILE: {
		log: 'a path names something other than a file',
		user: ['"{path}" is not a regular file.', '{message}'],
		model: messageOnly,
	},
	FILE_HAS_OTHER_NAMES: {
		log: 'a file has several names (hard links)',
		user: [
			'"{path}" has {links} names on the disk (hard links). A change here would reach the others, or part them.',
			'{message}',
		],
		model: ['{message}. Say so to the user, or write a new file in its place: delete this name first.', '{message}'],
	},
	NOT_A_FOLDER: {
		log: 'a path names something other than a folder',
		user: ['"{path}" is not a folder.', '{message}'],
		model: messageOnly,
	},
	FILE_TOO_LARGE: {
		log: 'a file is larger than its limit',
		user: ['{said}', '"{path}" is too large: {bytes} bytes, the limit is {limit}.', '{message}'],
		model: messageOnly,
	},
	FILE_IS_BINARY: {
		log: 'a file is not text',
		user: ['"{pdf}" is a PDF, whose text cannot be read here.', '"{path}" is not a text file.', '{message}'],
		model: [
			'{message}. Where pdftotext is installed, `pdftotext -layout FILE -` prints its text; else say that you cannot read it, and ask for the text.',
			messageOnly,
		],
	},
	FILE_CHANGED: {
		log: 'a file changed between looking and acting',
		user: ['"{path}" has changed meanwhile, so it was left as it is.', '{message}'],
		model: messageOnly,
	},
	FILE_NOT_READ: {
		log: 'a file was to be replaced by somebody who has not read it',
		user: ['"{path}" was to be replaced unread, so it was left as it is.', '{message}'],
		model: '{message}. Read it with fs_read first, or change a part of it with fs_edit.',
	},
	TEXT_LEFT_OUT: {
		log: 'a new text has a mark in the place of text that is left out',
		user: ['The new text of "{path}" leaves out a part in line {line}, so nothing was changed.', '{message}'],
		model: '{message}. Write that text out, or change only the other parts with fs_edit.',
	},
	EDIT_NO_MATCH: {
		log: 'the text to replace was not found',
		user: ['The text to replace is not in "{path}", so nothing was changed.', '{message}'],
		model: messageOnly,
	},
	EDIT_AMBIGUOUS: {
		log: 'the text to replace was found more than once',
		user: ['The text to replace is in "{path}" more than once, so nothing was changed.', '{message}'],
		model: messageOnly,
	},
	ALREADY_EXISTS: {
		log: 'something of that name exists',
		user: ['"{path}" already exists.', '{message}'],
		wayOut: 'Choose another name.',
		model: messageOnly,
	},
	IO_ERROR: {
		log: 'the system refused to read or write',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	TEMPORARY_FOLDER_UNUSABLE: {
		log: 'the folder for temporary files cannot be used',
		user: ['The folder for temporary files, {path}, is missing or cannot be written.', '{message}'],
		wayOut: 'Create that folder, or set TMPDIR to another one, and start Prowess again.',
		model: messageOnly,
	},
	COMMAND_NOT_FOUND: {
		log: 'a program was not found',
		user: ['The program "{program}" was not found.', '{message}'],
		wayOut: 'Install the program, or check PATH.',
		model: messageOnly,
	},
	COMMAND_FAILED_TO_START: {
		log: 'a program could not be started',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	NO_REPOSITORY: {
		log: 'there is no git repository',
		user: ['There is no Git repository in "{folder}" that can be read.', 'There is no Git repository here.'],
		model: messageOnly,
	},
	HOST_REFUSED: {
		log: 'a host on this machine or its network was refused',
		user: ['{host} is on this machine or its network, so the connection was refused.', '{message}'],
		wayOut: 'To allow it, add the host to the setting prowess.http.allowHosts.',
		model: '{message}. Only the user can allow that, in prowess.http.allowHosts.',
	},
	REQUEST_FAILED: {
		log: 'a request over HTTP failed',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	RESPONSE_TOO_LARGE: {
		log: 'a response is larger than its limit',
		user: ['{said}', '{message}'],
		model: messageOnly,
	},
	SECRET_NOT_FOUND: {
		log: 'a secret is not stored',
		user: ['{said}', 'There is no secret named "{name}".', '{message}'],
		wayOut: 'Store the secret with the command "Prowess: Store a Secret…".',
		model: messageOnly,
	},
	SEARCH_NOT_SET_UP: {
		log: 'there is no usable provider for web searches',
		user: ['{said}', 'The web cannot be searched: {message}'],
		wayOut: 'Name a provider in the setting prowess.web.search.',
		model: '{message}. Only the user can change that. Do without a search, or ask them.',
	},
	SEARCH_REFUSED: {
		log: 'a provider of web searches refused a search',
		user: ['{host} refused the search (HTTP {status}).', '{message}'],
		wayOut: 'Check the secret that prowess.web.search names. SearXNG needs the format json in its own settings.',
		model: '{message}. Only the user can mend that. Do without a search, or tell them.',
	},
	SEARCH_LIMITED: {
		log: 'a provider of web searches limits its searches',
		user: ['The search limit of {host} is reached (HTTP {status}). Try again later.', '{message}'],
		wayOut: 'Try again later, or look at your plan with the provider.',
		model: '{message}. Do without it, or try again later.',
	},
	SQL_ERROR: {
		log: 'a database refused a statement',
		user: ['{said}', 'The database could not do this: {message}'],
		model: messageOnly,
	},
	MCP_SAMPLING_REFUSED: {
		log: 'an MCP server may not ask a model',
		user: ['The MCP server "{server}" may not ask a model: {why}', '{message}'],
		wayOut: 'What a server may ask of models is in prowess.mcp.sampling.',
		model: messageOnly,
	},
	MCP_SERVER_FAILED: {
		log: 'an MCP server failed',
		user: ['The MCP server "{server}" failed: {why}', '{message}'],
		wayOut: 'Look at its log and its entry, then try again.',
		model: messageOnly,
	},
	MCP_SIGN_IN_FAILED: {
		log: 'the user is not signed in at an MCP server',
		user: ['You are not signed in at the MCP server "{server}".', '{message}'],
		isWhole: true,
		model: messageOnly,
	},
	MCP_TOOL_CHANGED: {
		log: 'a tool of an MCP server is another than the one that was judged',
		user: ['The tool "{tool}" of the MCP server "{server}" has changed, so it was not called.', '{message}'],
		isWhole: true,
		model: messageOnly,
	},
	DATA_MALFORMED: {
		log: 'data does not have the form it should have',
		user: ['{said}', 'The data cannot be used: {message}'],
		model: messageOnly,
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
		model: messageOnly,
	},
} satisfies SomeErrorTexts;
