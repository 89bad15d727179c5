/** Messages of `prowess rpc`, version 1. Generated: `npm run generate`. */

export type Approval = {
	id: string;
	opId: string;
	threadId: string | null;
	op: string;
	title: string;
	said?: SaidText;
	risk: 'SAFE' | 'MONITORED' | 'CONTROLLED' | 'RESTRICTED' | 'PRIVILEGED';
	act:
		| 'reads'
		| 'changes'
		| 'runs'
		| 'connects'
		| 'changesDatabase'
		| 'usesSecret'
		| 'runsCapability'
		| 'asksModel'
		| 'callsTool'
		| 'other';
	warning: {
		isDangerous: boolean;
		reasons: readonly SaidText[];
		contained?: readonly SaidText[];
		marks: readonly { command: number; argument: number; start: number; end: number }[];
	} | null;
	reason: SaidText;
	isReasonUsual?: boolean;
	detail:
		| {
				kind: 'command';
				argv: readonly string[];
				redirects?: readonly (
					| { stream: 'stdin' | 'stdout' | 'stderr'; mode: 'read' | 'write' | 'append'; path: string }
					| { stream: 'stdout' | 'stderr'; to: 'stdout' | 'stderr' }
				)[];
				cwd: string;
				notation?: 'sh' | 'powershell';
				chain?: readonly {
					join: '|' | '&&' | '||' | ';';
					argv: readonly string[];
					redirects?: readonly (
						| { stream: 'stdin' | 'stdout' | 'stderr'; mode: 'read' | 'write' | 'append'; path: string }
						| { stream: 'stdout' | 'stderr'; to: 'stdout' | 'stderr' }
					)[];
				}[];
				sandboxed?: boolean;
				needs?: {
					network?: readonly string[];
					read?: readonly string[];
					write?: readonly string[];
					noSandbox?: boolean;
				};
		  }
		| { kind: 'diff'; diff: { path: string; created: boolean; added: number; removed: number; patch: string } }
		| { kind: 'plan'; text: string }
		| { kind: 'path'; path: string }
		| { kind: 'text'; text: string; facts?: readonly { label: SaidText; value: SaidText | { at: string } }[] }
		| {
				kind: 'consent';
				description: string;
				may: readonly { permission: string | null; meaning: SaidText }[];
				mayNot: readonly SaidText[];
				notEnforced: readonly SaidText[];
				enforced: readonly SaidText[];
				maker: readonly SaidText[];
				level: 'SAFE' | 'MONITORED' | 'CONTROLLED' | 'RESTRICTED' | 'PRIVILEGED';
				levelMeaning: SaidText;
				details: readonly { label: SaidText; value: string }[];
		  };
	isOnceOffered: boolean;
	isPartOfAll?: boolean;
	threadScope: SaidText | null;
	turnScope?: SaidText;
	hasTurnAsked?: boolean;
	pattern: string | null;
	wider?: readonly string[];
	isProjectOffered: boolean;
	trial?:
		| { state: 'offered' }
		| { state: 'running' }
		| { state: 'failed'; why: SaidText }
		| {
				state: 'ended';
				exitCode: number | null;
				signal: string | null;
				timedOut: boolean;
				overTime?: { program: string; limitMs: number };
				output: string;
				changed: readonly { path: string; kind: 'created' | 'modified' | 'deleted' }[];
				changedBeyond: number;
				lost?: SaidText;
		  };
	askedAt: string;
	expiresAt: string;
};
export type ApprovalAnswer =
	| { kind: 'once' }
	| { kind: 'tried' }
	| { kind: 'thread' }
	| { kind: 'turn' }
	| { kind: 'project'; rule?: string }
	| { kind: 'always'; rule?: string }
	| { kind: 'deny'; reason?: string };
export type ClosedQuestion = {
	id: string | string;
	threadId: string | null;
	how: 'answered' | 'expired' | 'void';
	by?: 'editor' | 'cli' | 'acp' | 'mcp' | 'rpc';
};
export type ContextRef =
	| { kind: 'file'; path: string }
	| { kind: 'folder'; path: string }
	| { kind: 'selection'; path: string; startLine: number; endLine: number; text: string }
	| { kind: 'problems'; path?: string }
	| { kind: 'changes' }
	| { kind: 'codebase' }
	| { kind: 'commit'; hash: string; subject: string }
	| { kind: 'symbol'; name: string; path: string; startLine: number; endLine: number }
	| { kind: 'thread'; threadId: string; title: string }
	| { kind: 'capability'; type: string; name: string }
	| { kind: 'resource'; server: string; uri: string; name: string }
	| { kind: 'prompt'; server: string; name: string; arguments?: Readonly<Record<string, string>> }
	| { kind: 'page'; url: string }
	| { kind: 'pasted'; text: string }
	| { kind: 'hook'; by: string; text: string }
	| { kind: 'terminal'; name: string; text: string }
	| { kind: 'test'; name: string; text: string }
	| { kind: 'active'; path: string; startLine?: number; endLine?: number }
	| {
			id: string;
			type:
				| 'image/png'
				| 'image/jpeg'
				| 'image/gif'
				| 'image/webp'
				| 'audio/wav'
				| 'audio/mpeg'
				| 'audio/ogg'
				| 'audio/flac';
			bytes: number;
			width: number;
			height: number;
			name?: string;
			kind: 'image';
	  };
export type Desk = { approvals: readonly Approval[]; questions: readonly DeskQuestion[] };
export type DeskQuestion = {
	id: string;
	opId: string;
	threadId: string | null;
	server?: string;
	isOurs?: true;
	question: string;
	options: readonly string[];
	askedAt: string;
	expiresAt: string;
};
export type SaidText = { template: string; args: Readonly<Record<string, string | number | SaidText>> };
export type ThreadEvent =
	| { type: 'thread.changed'; info: ThreadInfo }
	| { type: 'thread.deleted' }
	| { type: 'thread.cut'; turnIds: readonly string[] }
	| { type: 'turn.start'; turnId: string; modelId: string }
	| { type: 'turn.model'; turnId: string; modelId: string }
	| { type: 'item.start'; item: ThreadItem }
	| { type: 'item.delta'; itemId: string; text: string }
	| {
			type: 'item.tool';
			itemId: string;
			patch: {
				title?: string;
				status?:
					'pending' | 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'interrupted' | 'inDoubt';
				output?: string;
				outputTruncated?: boolean;
				told?: string;
				diff?: { path: string; created: boolean; added: number; removed: number; patch: string };
				drawn?:
					| {
							view: 'table';
							columns: readonly string[];
							rows: readonly (readonly { text: string; place?: { path: string; line?: number } }[])[];
							total: number;
							facts?: readonly { name: string; text: string }[];
					  }
					| {
							view: 'places';
							rows: readonly { place?: { path: string; line?: number }; text: string }[];
							total: number;
							facts?: readonly { name: string; text: string }[];
					  }
					| {
							view: 'checklist';
							rows: readonly { isDone: boolean; text: string; place?: { path: string; line?: number } }[];
							total: number;
							facts?: readonly { name: string; text: string }[];
					  }
					| {
							view: 'diff';
							rows: readonly { place?: { path: string; line?: number }; patch: string; isCut: boolean }[];
							total: number;
							facts?: readonly { name: string; text: string }[];
					  }
					| { view: 'markdown'; text: string; isCut: boolean; facts?: readonly { name: string; text: string }[] }
					| { view: 'text' | 'json'; text: string; isCut: boolean; why?: SaidText };
				exitCode?: number | null;
				tests?: { passed: number; failed: number; skipped?: number };
				sandboxed?: boolean;
				inBackground?: true;
				error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
				allowedBy?:
					| { kind: 'rules'; rules: readonly { rule: string; scope: 'project' | 'everywhere' | 'thread' }[] }
					| { kind: 'thread' }
					| { kind: 'turn' }
					| { kind: 'reads' }
					| { kind: 'level'; level: 'edit' | 'auto' | 'full' }
					| { kind: 'autonomy'; level?: 'auto' | 'full' }
					| { kind: 'host' };
				paced?: { limit?: number; until: string };
				startedAt?: string;
				durationMs?: number;
				images?: readonly {
					id: string;
					type:
						| 'image/png'
						| 'image/jpeg'
						| 'image/gif'
						| 'image/webp'
						| 'audio/wav'
						| 'audio/mpeg'
						| 'audio/ogg'
						| 'audio/flac';
					bytes: number;
					width: number;
					height: number;
					name?: string;
				}[];
				lacks?: { server: string; path: string };
			};
	  }
	| {
			type: 'item.step';
			itemId: string;
			step: {
				id: number;
				kind: 'report' | 'op' | 'model' | 'end';
				at: string;
				from?: string;
				status: 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'interrupted' | 'unfollowed';
				title: string;
				said?: SaidText;
				op?: string;
				words?: string;
				fraction?: number;
				durationMs?: number;
				error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
			};
	  }
	| { type: 'item.revised'; itemId: string }
	| { type: 'item.end'; itemId: string; durationMs?: number }
	| { type: 'todos'; items: readonly { text: string; status: 'pending' | 'active' | 'done' }[] }
	| {
			type: 'usage';
			usage: {
				inputTokens: number;
				outputTokens: number;
				cachedInputTokens: number;
				contextTokens: number;
				contextWindow: number;
				contextParts?: { rules: number; tools: number; files: number; results: number; conversation: number };
				estimated: boolean;
				cost?: number;
				turnCost?: number;
				requestCost?: number;
				isCostPartial?: boolean;
				quotas?: readonly {
					kind:
						| 'tokensPerHour'
						| 'toolCallsPerMinute'
						| 'dollarsPerHour'
						| 'dollarsPerDay'
						| 'dollarsPerMonth'
						| 'tokensPerThread'
						| 'dollarsPerThread'
						| 'tokensPerCapability'
						| 'dollarsPerCapability'
						| 'tokensPerSchedule'
						| 'dollarsPerSchedule';
					used: number;
					limit: number;
					name?: string;
				}[];
			};
	  }
	| {
			type: 'turn.end';
			turnId: string;
			outcome: 'done' | 'failed' | 'stopped' | 'interrupted';
			error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
			durationMs: number;
	  };
export type ThreadInfo = {
	id: string;
	title: string;
	modelId: string | null;
	mode: 'agent' | 'ask' | 'plan';
	effort?: 'off' | 'low' | 'medium' | 'high';
	createdAt: string;
	updatedAt: string;
	workspace: string | null;
	shelf?: 'pinned' | 'archived';
	parent?: string;
	agent?: string;
	running: boolean;
	level?: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
	isUnattended?: boolean;
	setAside?: number;
	heldBy?: 'editor' | 'cli';
};
export type ThreadItem =
	| {
			id: string;
			turnId: string;
			at: string;
			kind: 'user';
			text: string;
			context: readonly ContextRef[];
			isSteering?: boolean;
	  }
	| {
			id: string;
			turnId: string;
			at: string;
			kind: 'text';
			text: string;
			done: boolean;
			silent?: boolean;
			served?: { asked: string; by: string };
	  }
	| { id: string; turnId: string; at: string; kind: 'thinking'; text: string; done: boolean; durationMs?: number }
	| {
			id: string;
			turnId: string;
			at: string;
			kind: 'tool';
			opId: string;
			tool: string;
			title: string;
			said?: SaidText;
			input: unknown;
			status:
				'pending' | 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'interrupted' | 'inDoubt';
			output: string;
			outputTruncated: boolean;
			told?: string;
			diff?: { path: string; created: boolean; added: number; removed: number; patch: string };
			drawn?:
				| {
						view: 'table';
						columns: readonly string[];
						rows: readonly (readonly { text: string; place?: { path: string; line?: number } }[])[];
						total: number;
						facts?: readonly { name: string; text: string }[];
				  }
				| {
						view: 'places';
						rows: readonly { place?: { path: string; line?: number }; text: string }[];
						total: number;
						facts?: readonly { name: string; text: string }[];
				  }
				| {
						view: 'checklist';
						rows: readonly { isDone: boolean; text: string; place?: { path: string; line?: number } }[];
						total: number;
						facts?: readonly { name: string; text: string }[];
				  }
				| {
						view: 'diff';
						rows: readonly { place?: { path: string; line?: number }; patch: string; isCut: boolean }[];
						total: number;
						facts?: readonly { name: string; text: string }[];
				  }
				| { view: 'markdown'; text: string; isCut: boolean; facts?: readonly { name: string; text: string }[] }
				| { view: 'text' | 'json'; text: string; isCut: boolean; why?: SaidText };
			exitCode?: number | null;
			tests?: { passed: number; failed: number; skipped?: number };
			sandboxed?: boolean;
			inBackground?: true;
			error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
			allowedBy?:
				| { kind: 'rules'; rules: readonly { rule: string; scope: 'project' | 'everywhere' | 'thread' }[] }
				| { kind: 'thread' }
				| { kind: 'turn' }
				| { kind: 'reads' }
				| { kind: 'level'; level: 'edit' | 'auto' | 'full' }
				| { kind: 'autonomy'; level?: 'auto' | 'full' }
				| { kind: 'host' };
			paced?: { limit?: number; until: string };
			startedAt?: string;
			durationMs?: number;
			waitedMs?: number;
			steps?: readonly {
				id: number;
				kind: 'report' | 'op' | 'model' | 'end';
				at: string;
				from?: string;
				status: 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'interrupted' | 'unfollowed';
				title: string;
				said?: SaidText;
				op?: string;
				words?: string;
				fraction?: number;
				durationMs?: number;
				error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
			}[];
			images?: readonly {
				id: string;
				type:
					| 'image/png'
					| 'image/jpeg'
					| 'image/gif'
					| 'image/webp'
					| 'audio/wav'
					| 'audio/mpeg'
					| 'audio/ogg'
					| 'audio/flac';
				bytes: number;
				width: number;
				height: number;
				name?: string;
			}[];
			lacks?: { server: string; path: string };
	  }
	| {
			id: string;
			turnId: string;
			at: string;
			kind: 'notice';
			level: 'info' | 'warning' | 'error';
			text: string;
			actions: readonly (
				| 'connectModel'
				| 'switchModel'
				| 'retry'
				| 'continue'
				| 'showLogs'
				| 'trustWorkspace'
				| 'answerDirectly'
				| 'runOnSchedule'
				| 'askModel'
				| 'confirmClaim'
				| 'switchOn'
			)[];
			error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
			attempt?: {
				error: { code: string; message: string; facts: Readonly<Record<string, unknown>> };
				waitMs?: number;
				failed?: string;
				next?: string;
			};
			passedOver?: { provider: string; faults: number; next: string };
			skillTools?: { skills: string; tools: string };
			leftToDo?: string;
			quota?: {
				kind:
					| 'tokensPerHour'
					| 'toolCallsPerMinute'
					| 'dollarsPerHour'
					| 'dollarsPerDay'
					| 'dollarsPerMonth'
					| 'tokensPerThread'
					| 'dollarsPerThread'
					| 'tokensPerCapability'
					| 'dollarsPerCapability'
					| 'tokensPerSchedule'
					| 'dollarsPerSchedule';
				used: number;
				limit: number;
				name?: string;
			};
			switchedOff?: { kind: 'fastPath' | 'strategy' | 'loop' | 'claim' | 'memory'; name: string; times: number };
			shortened?: {
				parts: readonly {
					kind: 'result' | 'input' | 'answer' | 'attachment';
					title: string;
					itemId?: string;
					before: number;
					after: number;
				}[];
				counts: Readonly<Record<string, number>>;
				before: number;
				after: number;
			};
	  }
	| {
			id: string;
			turnId: string;
			at: string;
			kind: 'instructions';
			files: readonly { path: string; omitted: number }[];
			left: readonly { path: string; reason: 'outside' | 'secret' | 'unreadable' | 'tooMany' | 'planted' }[];
	  }
	| {
			id: string;
			turnId: string;
			at: string;
			kind: 'memories';
			memories: readonly { id: string; text: string }[];
			isLocal?: boolean;
	  }
	| { id: string; turnId: string; at: string; kind: 'compaction'; messages: number; text: string; model?: string };
export type ThreadSnapshot = {
	info: ThreadInfo;
	seq: number;
	items: readonly ThreadItem[];
	earlier: number;
	turnId: string | null;
	todos: readonly { text: string; status: 'pending' | 'active' | 'done' }[];
	usage: {
		inputTokens: number;
		outputTokens: number;
		cachedInputTokens: number;
		contextTokens: number;
		contextWindow: number;
		contextParts?: { rules: number; tools: number; files: number; results: number; conversation: number };
		estimated: boolean;
		cost?: number;
		turnCost?: number;
		requestCost?: number;
		isCostPartial?: boolean;
		quotas?: readonly {
			kind:
				| 'tokensPerHour'
				| 'toolCallsPerMinute'
				| 'dollarsPerHour'
				| 'dollarsPerDay'
				| 'dollarsPerMonth'
				| 'tokensPerThread'
				| 'dollarsPerThread'
				| 'tokensPerCapability'
				| 'dollarsPerCapability'
				| 'tokensPerSchedule'
				| 'dollarsPerSchedule';
			used: number;
			limit: number;
			name?: string;
		}[];
	} | null;
};
export type ThreadUpdate = { threadId: string; seq: number; events: readonly ThreadEvent[]; isElsewhere?: boolean };

/** Requests, by method. */
export interface Requests {
	'rpc/hello': {
		params: { version: number; client: { name: string; version?: string } };
		result: {
			version: number;
			prowess: string;
			folder: string;
			principal: 'editor' | 'cli' | 'acp' | 'mcp' | 'rpc';
			rights: readonly ('look' | 'answer' | 'prompt')[];
			widest: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
		};
	};
	'thread/list': { params: { query?: string; limit?: number }; result: { threads: readonly ThreadInfo[] } };
	'thread/open': { params: { threadId: string; items?: number; follow?: boolean }; result: ThreadSnapshot };
	'thread/earlier': {
		params: { threadId: string; before: string; limit?: number };
		result: { items: readonly ThreadItem[]; earlier: number };
	};
	'thread/messages': {
		params: { threadId: string; after?: number };
		result: { messages: readonly { turnId: string; at: string; text: string }[]; next: number | null };
	};
	'thread/words': { params: { threadId: string }; result: { text: string } };
	'thread/output': { params: { threadId: string; opId: string }; result: { text: string | null; input?: unknown } };
	'thread/image': { params: { id: string }; result: { data: string | null } };
	'thread/create': {
		params: {
			threadId?: string;
			modelId?: string | null;
			mode?: 'agent' | 'ask' | 'plan';
			effort?: 'off' | 'low' | 'medium' | 'high' | null;
		};
		result: ThreadInfo;
	};
	'thread/prompt': {
		params: {
			threadId: string;
			text: string;
			context?: readonly ContextRef[];
			secrets?: 'ask' | 'remove' | 'keep';
			messageId?: string;
			strategy?: 'DIRECT_RESPONSE' | 'GOAL' | 'GOAL_STEP' | 'SCHEDULED_TASK' | 'SUB_AGENT' | 'SCRIPT';
			options?: { rounds?: number; temperature?: number; maxCost?: number };
		};
		result: { turnId: string };
	};
	'thread/steer': {
		params: {
			threadId: string;
			text: string;
			context?: readonly ContextRef[];
			secrets?: 'ask' | 'remove' | 'keep';
			messageId?: string;
		};
		result: { turnId: string };
	};
	'thread/stop': { params: { threadId: string }; result: Readonly<Record<string, never>> };
	'thread/attach': {
		params: { data: string; name?: string };
		result: {
			id: string;
			type:
				| 'image/png'
				| 'image/jpeg'
				| 'image/gif'
				| 'image/webp'
				| 'audio/wav'
				| 'audio/mpeg'
				| 'audio/ogg'
				| 'audio/flac';
			bytes: number;
			width: number;
			height: number;
			name?: string;
		};
	};
	'thread/set': {
		params: {
			threadId: string;
			title?: string;
			modelId?: string | null;
			mode?: 'agent' | 'ask' | 'plan';
			effort?: 'off' | 'low' | 'medium' | 'high' | null;
			shelf?: 'pinned' | 'archived' | null;
		};
		result: ThreadInfo;
	};
	'thread/delete': { params: { threadId: string }; result: Readonly<Record<string, never>> };
	'desk/list': { params: Readonly<Record<string, never>>; result: Desk };
	'desk/approve': { params: { id: string; answer: ApprovalAnswer }; result: { taken: boolean } };
	'desk/approveAll': {
		params: { ids: readonly string[]; answer: { kind: 'once' } | { kind: 'deny'; reason?: string } };
		result: { taken: readonly string[] };
	};
	'desk/tryFirst': { params: { id: string }; result: Readonly<Record<string, never>> };
	'desk/reply': { params: { id: string; answer: string }; result: { taken: boolean } };
	'level/of': {
		params: { threadId: string | null };
		result: {
			level: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
			widest: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
			why: SaidText | null;
		};
	};
	'level/choose': {
		params: { threadId: string | null; level: 'manual' | 'ask' | 'edit' | 'auto' | 'full' };
		result: {
			level: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
			widest: 'manual' | 'ask' | 'edit' | 'auto' | 'full';
			why: SaidText | null;
		};
	};
	'change/list': {
		params: { threadId: string };
		result: {
			changes: readonly {
				path: string;
				kind: 'created' | 'modified' | 'deleted';
				added: number;
				removed: number;
				touchedSince: boolean;
				since?: readonly (
					{ kind: 'thread'; threadId: string } | { kind: 'person' } | { kind: 'program' } | { kind: 'unknown' }
				)[];
			}[];
			undone: readonly string[];
		};
	};
	'change/keep': {
		params: { threadId: string; paths?: readonly string[] };
		result: {
			changes: readonly {
				path: string;
				kind: 'created' | 'modified' | 'deleted';
				added: number;
				removed: number;
				touchedSince: boolean;
				since?: readonly (
					{ kind: 'thread'; threadId: string } | { kind: 'person' } | { kind: 'program' } | { kind: 'unknown' }
				)[];
			}[];
			undone: readonly string[];
			skipped: readonly string[];
		};
	};
	'change/undo': {
		params: { threadId: string; paths?: readonly string[]; force?: boolean };
		result: {
			changes: readonly {
				path: string;
				kind: 'created' | 'modified' | 'deleted';
				added: number;
				removed: number;
				touchedSince: boolean;
				since?: readonly (
					{ kind: 'thread'; threadId: string } | { kind: 'person' } | { kind: 'program' } | { kind: 'unknown' }
				)[];
			}[];
			undone: readonly string[];
			skipped: readonly string[];
		};
	};
	'change/redo': {
		params: { threadId: string };
		result: {
			changes: readonly {
				path: string;
				kind: 'created' | 'modified' | 'deleted';
				added: number;
				removed: number;
				touchedSince: boolean;
				since?: readonly (
					{ kind: 'thread'; threadId: string } | { kind: 'person' } | { kind: 'program' } | { kind: 'unknown' }
				)[];
			}[];
			undone: readonly string[];
			skipped: readonly string[];
		};
	};
}

/** What is told without being asked, by method. */
export interface Notifications {
	'thread/update': ThreadUpdate;
	'desk/changed': Desk;
	'desk/closed': ClosedQuestion;
	'rpc/missed': { threadId: string };
}
