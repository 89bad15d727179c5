/** Params and result of each op. Generated: `npm run generate`. */
export interface Ops {
	/** MONITORED, with the permission `workspace.read`. */
	'fs.read': {
		params: { path: string; offset?: number; limit?: number; raw?: boolean };
		result: { path: string; text: string; startLine: number; endLine: number; totalLines?: number; truncated: boolean; unsaved: boolean; encoding?: string; cells?: true; pdfPages?: number; image?: { type: "image/png" | "image/jpeg" | "image/gif" | "image/webp"; width: number; height: number; data: string } };
	};
	/** MONITORED, with the permission `workspace.read`. */
	'fs.list': {
		params: { path?: string };
		result: { path: string; entries: readonly ({ name: string; kind: "file" | "folder" | "link"; size?: number })[]; truncated: boolean };
	};
	/** MONITORED, with the permission `workspace.read`. */
	'fs.find': {
		params: { pattern: string; path?: string; limit?: number; marks?: boolean };
		result: { paths: readonly string[]; truncated: boolean; marks?: readonly string[]; ignored?: readonly string[] };
	};
	/** MONITORED, with the permission `workspace.read`. */
	'search.text': {
		params: { query: string; literal?: boolean; regex?: boolean; caseSensitive?: boolean; path?: string; include?: string; context?: number; namesOnly?: boolean; limit?: number };
		result: { matches: readonly ({ path: string; line: number; text: string; isContext?: true })[]; truncated: boolean; engine: "ripgrep" | "javascript"; searched: { query: string; as: "pattern" | "text"; invalid?: string; caseSensitive: boolean; path: string; include?: string; isWithoutFiles?: true; ignored?: readonly string[]; namesOnly: boolean; read?: { encodings: Readonly<Record<string, number>>; binary: number; asUtf8: number } } };
	};
	/** MONITORED, with the permission `workspace.read`. */
	'search.code': {
		params: { query: string; path?: string; limit?: number };
		result: { places: readonly ({ path: string; startLine: number; endLine: number; symbol: string; text: string })[]; files: number; indexed: number; isFull: boolean; isLocal?: boolean };
	};
	/** CONTROLLED, with the permission `workspace.write`. */
	'fs.edit': {
		params: { path: string; edits: readonly ({ find: string; replace: string; all?: boolean })[] };
		result: { path: string; created: boolean; added: number; removed: number; patch: string; loosely?: readonly ({ edit: number; line: number; differs: "line numbers" | "form of accents" | "punctuation" | "trailing space" | "indentation" })[]; keptEnds?: "CRLF" | "CR" | "mixed"; onSave?: { added: number; removed: number; patch: string }; byUser?: { added: number; removed: number; patch: string }; problems?: readonly ({ path: string; line: number; column: number; severity: "error" | "warning" | "information" | "hint"; message: string; source?: string })[] };
	};
	/** CONTROLLED, with the permission `workspace.write`. */
	'fs.write': {
		params: { path: string; content: string };
		result: { path: string; created: boolean; added: number; removed: number; patch: string; loosely?: readonly ({ edit: number; line: number; differs: "line numbers" | "form of accents" | "punctuation" | "trailing space" | "indentation" })[]; keptEnds?: "CRLF" | "CR" | "mixed"; onSave?: { added: number; removed: number; patch: string }; byUser?: { added: number; removed: number; patch: string }; problems?: readonly ({ path: string; line: number; column: number; severity: "error" | "warning" | "information" | "hint"; message: string; source?: string })[] };
	};
	/** CONTROLLED, with the permission `workspace.write`. */
	'fs.move': {
		params: { from: string; to: string };
		result: { from: string; to: string; files: number };
	};
	/** CONTROLLED, with the permission `workspace.write`. */
	'fs.delete': {
		params: { path: string; recursive?: boolean };
		result: { path: string; files: number; undoable: boolean };
	};
	/** RESTRICTED, with the permission `shell`. */
	'shell.run': {
		params: { argv: readonly string[]; redirects?: readonly ({ stream: "stdin" | "stdout" | "stderr"; mode: "read" | "write" | "append"; path: string } | { stream: "stdout" | "stderr"; to: "stdout" | "stderr" })[]; patterns?: readonly number[]; chain?: readonly ({ join: "|" | "&&" | "||" | ";"; argv: readonly string[]; redirects?: readonly ({ stream: "stdin" | "stdout" | "stderr"; mode: "read" | "write" | "append"; path: string } | { stream: "stdout" | "stderr"; to: "stdout" | "stderr" })[]; patterns?: readonly number[] })[]; cwd?: string; timeoutMs?: number; background?: boolean; tty?: boolean; needs?: { network?: readonly string[]; read?: readonly string[]; write?: readonly string[]; noSandbox?: boolean } };
		result: { commandId: string; running: boolean; exitCode: number | null; signal: string | null; timedOut: boolean; overTime?: { program: string; limitMs: number }; stoppedByUser?: true; sentToBackground?: true; ends?: readonly ({ program: string; exitCode: number | null; signal: string | null })[]; output: string; omitted: number; sandboxed?: boolean; kept?: readonly string[]; changed?: readonly ({ path: string; kind: "created" | "modified" | "deleted"; isShown?: false })[]; changedBeyond?: number; tried?: true; unlikeTrial?: readonly string[] };
	};
	/** SAFE, with the permission `shell`. */
	'shell.output': {
		params: { commandId: string; waitMs?: number };
		result: { commandId: string; running: boolean; exitCode: number | null; signal: string | null; timedOut: boolean; overTime?: { program: string; limitMs: number }; stoppedByUser?: true; sentToBackground?: true; ends?: readonly ({ program: string; exitCode: number | null; signal: string | null })[]; output: string; omitted: number; sandboxed?: boolean; kept?: readonly string[]; changed?: readonly ({ path: string; kind: "created" | "modified" | "deleted"; isShown?: false })[]; changedBeyond?: number; tried?: true; unlikeTrial?: readonly string[] };
	};
	/** SAFE, with the permission `shell`. */
	'shell.stop': {
		params: { commandId: string };
		result: { commandId: string; running: boolean; exitCode: number | null; signal: string | null; timedOut: boolean; overTime?: { program: string; limitMs: number }; stoppedByUser?: true; sentToBackground?: true; ends?: readonly ({ program: string; exitCode: number | null; signal: string | null })[]; output: string; omitted: number; sandboxed?: boolean; kept?: readonly string[]; changed?: readonly ({ path: string; kind: "created" | "modified" | "deleted"; isShown?: false })[]; changedBeyond?: number; tried?: true; unlikeTrial?: readonly string[] };
	};
	/** MONITORED, with the permission `editor`. */
	'editor.diagnostics': {
		params: { path?: string };
		result: { diagnostics: readonly ({ path: string; line: number; column: number; severity: "error" | "warning" | "information" | "hint"; message: string; source?: string })[]; truncated: boolean };
	};
	/** MONITORED, with the permission `editor`. */
	'editor.symbols': {
		params: { path?: string; query?: string };
		result: { symbols: readonly ({ name: string; kind: string; path: string; line: number; container?: string })[]; truncated: boolean };
	};
	/** MONITORED, with the permission `editor`. */
	'editor.references': {
		params: { path: string; line: number; symbol: string; what?: "definition" | "type" | "implementation" };
		result: { references: readonly ({ path: string; line: number; column?: number; text: string })[]; truncated: boolean; outside?: number };
	};
	/** MONITORED, with the permission `git`. */
	'git.status': {
		params: Readonly<Record<string, never>>;
		result: { branch: string | null; files: readonly ({ path: string; index: string; worktree: string })[]; truncated: boolean };
	};
	/** MONITORED, with the permission `git`. */
	'git.diff': {
		params: { path?: string; staged?: boolean; commit?: string; isAlone?: boolean };
		result: { patch: string; truncated: boolean };
	};
	/** MONITORED, with the permission `http`. */
	'http.get': {
		params: { url: string; raw?: boolean; session?: string };
		result: { url: string; status: number; headers: Readonly<Record<string, string>>; body: string; encoding: "text" | "base64"; isMarkdown?: true; leadsTo?: string };
	};
	/** SAFE, with the permission `user`. */
	'user.ask': {
		params: { question: string; options?: readonly string[] };
		result: { answer: string; through?: string };
	};
	/** SAFE, with the permission `thread`. */
	'todo.write': {
		params: { items: readonly ({ text: string; status: "pending" | "active" | "done" })[] };
		result: { items: readonly ({ text: string; status: "pending" | "active" | "done" })[] };
	};
	/** SAFE, with the permission `capabilities`. */
	'capability.list': {
		params: { query?: string; type?: string; offset?: number; tags?: readonly string[]; author?: string; withinMs?: number; best?: { text: string; paths: readonly string[]; count: number } };
		result: { capabilities: readonly ({ name: string; type: string; source: "built-in" | "global" | "project"; description: string; requires?: readonly string[] })[]; offset: number; total?: number; isComplete: boolean; values?: readonly ({ whole: number; short: number; isNamed: boolean; words: readonly string[]; used?: { count: number; lastAt: number; weight: number } })[] };
	};
	/** SAFE, with the permission `capabilities`. */
	'capability.detail': {
		params: { name: string; type?: string };
		result: { name: string; type: string; version: string; description: string; source: "built-in" | "global" | "project"; level: "SAFE" | "MONITORED" | "CONTROLLED" | "RESTRICTED" | "PRIVILEGED"; permissions: readonly ("workspace.read" | "workspace.write" | "shell" | "editor" | "git" | "user" | "thread" | "http" | "secrets" | "database" | "crypto" | "capabilities" | "llm" | "mcp" | "memory")[]; inputs: readonly unknown[]; body?: string; tools?: readonly ({ name: string; description: string; inputs: readonly ({ name: string; type: "string" | "number" | "boolean" | "object" | "array" | "any"; items?: "string" | "number" | "boolean" | "object"; description?: string; required: boolean })[] })[] };
	};
	/** MONITORED, with the permission `capabilities`. */
	'capability.start': {
		params: { name: string; type?: string; params?: Readonly<Record<string, unknown>>; tool?: string; timeoutMs?: number; wait?: boolean };
		result: { executionId: string; name: string; type: string; status: "starting" | "running" | "completed" | "failed" | "timeout" | "stopping" | "stopped"; startedAt: string; success?: boolean; result?: unknown; additionalContext?: unknown; error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> }; resultView?: { view: "table" | "places" | "checklist" | "diff" | "markdown"; from?: string; columns?: readonly string[] }; stoppedByUser?: true; leftovers?: readonly ({ pid: number; name: string })[]; instructions?: { text: string; folder: string; files: readonly string[]; fileCount: number; skillTools?: readonly ({ skills: readonly string[]; ops: readonly string[] })[] }; capabilityPath?: string };
	};
	/** SAFE, with the permission `capabilities`. */
	'capability.status': {
		params: { executionId?: string };
		result: { executions: readonly ({ executionId: string; name: string; type: string; status: "starting" | "running" | "completed" | "failed" | "timeout" | "stopping" | "stopped"; startedAt: string; success?: boolean; result?: unknown; additionalContext?: unknown; error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> }; resultView?: { view: "table" | "places" | "checklist" | "diff" | "markdown"; from?: string; columns?: readonly string[] }; stoppedByUser?: true; leftovers?: readonly ({ pid: number; name: string })[]; instructions?: { text: string; folder: string; files: readonly string[]; fileCount: number; skillTools?: readonly ({ skills: readonly string[]; ops: readonly string[] })[] }; capabilityPath?: string })[] };
	};
	/** SAFE, with the permission `capabilities`. */
	'capability.stop': {
		params: { executionId: string };
		result: { executionId: string; name: string; type: string; status: "starting" | "running" | "completed" | "failed" | "timeout" | "stopping" | "stopped"; startedAt: string; success?: boolean; result?: unknown; additionalContext?: unknown; error?: { code: string; message: string; facts: Readonly<Record<string, unknown>> }; resultView?: { view: "table" | "places" | "checklist" | "diff" | "markdown"; from?: string; columns?: readonly string[] }; stoppedByUser?: true; leftovers?: readonly ({ pid: number; name: string })[]; instructions?: { text: string; folder: string; files: readonly string[]; fileCount: number; skillTools?: readonly ({ skills: readonly string[]; ops: readonly string[] })[] }; capabilityPath?: string };
	};
	/** MONITORED, with the permission `workspace.read`. */
	'fs.stat': {
		params: { path: string };
		result: { path: string; kind: "file" | "folder" | "other"; size: number; modified: string };
	};
	/** CONTROLLED, with the permission `workspace.write`. */
	'editor.refactor': {
		params: { path: string; what: "rename" | "fix" | "format"; line?: number; symbol?: string; to?: string; title?: string };
		result: { files: readonly ({ path: string; created: boolean; added: number; removed: number; patch: string; loosely?: readonly ({ edit: number; line: number; differs: "line numbers" | "form of accents" | "punctuation" | "trailing space" | "indentation" })[]; keptEnds?: "CRLF" | "CR" | "mixed"; onSave?: { added: number; removed: number; patch: string }; byUser?: { added: number; removed: number; patch: string }; problems?: readonly ({ path: string; line: number; column: number; severity: "error" | "warning" | "information" | "hint"; message: string; source?: string })[] })[]; notRun?: string };
	};
	/** CONTROLLED, with the permission `http`. */
	'http.request': {
		params: { method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"; url: string; headers?: Readonly<Record<string, string>>; body?: string; auth?: { secret: string; scheme?: "bearer" | "basic" | "header" | "query" | "body"; user?: string; name?: string; part?: string }; moreAuth?: readonly ({ secret: string; scheme?: "bearer" | "basic" | "header" | "query" | "body"; user?: string; name?: string; part?: string })[]; session?: string };
		result: { url: string; status: number; headers: Readonly<Record<string, string>>; body: string; encoding: "text" | "base64"; isMarkdown?: true; leadsTo?: string };
	};
	/** MONITORED, with the permission `database`. */
	'sql.query': {
		params: { path?: string; database?: string; sql: string; params?: Readonly<Record<string, string | number | null | { base64: string }>>; limit?: number };
		result: { columns: readonly string[]; rows: readonly (readonly (string | number | null | { base64: string })[])[]; truncated: boolean };
	};
	/** CONTROLLED, with the permission `database`. */
	'sql.execute': {
		params: { path?: string; database?: string; statements: readonly ({ sql: string; params?: Readonly<Record<string, string | number | null | { base64: string }>> })[] };
		result: { changes: number };
	};
	/** MONITORED, with the permission `workspace.read`. */
	'plist.parse': {
		params: { path?: string; data?: { text: string } | { base64: string } };
		result: { value: unknown };
	};
	/** MONITORED, with the permission `http`. */
	'web.search': {
		params: { query: string; count?: number };
		result: { results: readonly ({ title: string; url: string; snippet: string })[] };
	};
	/** MONITORED, with the permission `mcp`. */
	'mcp.tools': {
		params: { server?: string; query?: string };
		result: { servers: readonly ({ name: string; state: "running" | "stopped" | "notAllowed" | "disabled" | "failed"; notes: readonly string[]; tools: readonly ({ name: string; description: string; inputSchema?: string })[]; more: number })[]; problems: readonly string[] };
	};
	/** CONTROLLED, with the permission `mcp`. */
	'mcp.call': {
		params: { server: string; tool: string; arguments?: Readonly<Record<string, unknown>> };
		result: { server: string; tool: string; text: string; leftOut: readonly string[]; media?: readonly ({ type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac"; data: string; bytes: number; sha256: string; name: string })[]; isError: boolean; lacks?: string; keptFrom?: string };
	};
	/** MONITORED, with the permission `mcp`. */
	'mcp.resources': {
		params: { server: string; query?: string };
		result: { name: string; notes: readonly string[]; resources: readonly ({ uri: string; name: string; description: string })[]; templates: readonly ({ uri: string; name: string; description: string })[]; more: number };
	};
	/** MONITORED, with the permission `mcp`. */
	'mcp.read': {
		params: { server: string; uri: string };
		result: { server: string; uri: string; text: string; leftOut: readonly string[]; media?: readonly ({ type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac"; data: string; bytes: number; sha256: string; name: string })[] };
	};
	/** MONITORED, with the permission `mcp`. */
	'mcp.prompt': {
		params: { server: string; name: string; arguments?: Readonly<Record<string, string>> };
		result: { server: string; name: string; text: string; leftOut: readonly string[]; media?: readonly ({ type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "audio/wav" | "audio/mpeg" | "audio/ogg" | "audio/flac"; data: string; bytes: number; sha256: string; name: string })[] };
	};
	/** CONTROLLED, with the permission `llm`. */
	'mcp.sample': {
		params: { server: string; model: string; system: string; messages: readonly ({ role: "user" | "assistant" | "system"; content: string })[]; maxTokens: number; temperature?: number };
		result: { text: string; model: string; end: "done" | "length" | "time"; usage: { inputTokens: number; outputTokens: number; estimated: boolean } };
	};
	/** CONTROLLED, with the permission `workspace.write`. */
	'fs.makeFolder': {
		params: { path: string };
		result: { path: string; created: boolean };
	};
	/** CONTROLLED, with the permission `http`. */
	'net.connect': {
		params: { host: string; for?: string };
		result: { connections: number; sent: number; received: number };
	};
	/** MONITORED, with the permission `http`. */
	'cookie.get': {
		params: { url: string; session?: string };
		result: { cookies: readonly ({ name: string; value: string })[] };
	};
	/** SAFE, with the permission `http`. */
	'cookie.clear': {
		params: { url?: string; session?: string };
		result: { removed: number };
	};
	/** CONTROLLED, with the permission `http`. */
	'cookie.resolve': {
		params: { url?: string; domain?: string; account?: string; session?: string };
		result: { host: string; source: "secret" | "jar"; secret?: string; names: readonly string[] };
	};
	/** SAFE, with the permission `http`. */
	'http.sessionOpen': {
		params: { headers?: Readonly<Record<string, string>> };
		result: { session: string };
	};
	/** SAFE, with the permission `http`. */
	'http.sessionClose': {
		params: { session: string };
		result: { removed: number };
	};
	/** MONITORED, with the permission `secrets`. */
	'secrets.list': {
		params: Readonly<Record<string, never>>;
		result: { names: readonly string[] };
	};
	/** PRIVILEGED, with the permission `secrets`. */
	'secrets.read': {
		params: { name: string };
		result: { name: string; value: string };
	};
	/** PRIVILEGED, with the permission `secrets`. */
	'secrets.write': {
		params: { name: string; value: string };
		result: { name: string; isReplaced: boolean };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.hash': {
		params: { algorithm?: "sha256" | "sha384" | "sha512" | "sha1" | "md5"; data: { text: string } | { base64: string } };
		result: { hex: string; base64: string };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.hmac': {
		params: { algorithm?: "sha256" | "sha384" | "sha512" | "sha1"; key: { text: string } | { base64: string }; data: { text: string } | { base64: string } };
		result: { hex: string; base64: string };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.pbkdf2': {
		params: { algorithm?: "sha256" | "sha384" | "sha512"; password: { text: string } | { base64: string }; salt: { text: string } | { base64: string }; iterations: number; keyLength: number };
		result: { base64: string };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.hkdf': {
		params: { algorithm?: "sha256" | "sha384" | "sha512"; key: { text: string } | { base64: string }; salt?: { text: string } | { base64: string }; info?: { text: string } | { base64: string }; keyLength: number };
		result: { base64: string };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.aesGcmEncrypt': {
		params: { key: string; data: { text: string } | { base64: string }; additional?: { text: string } | { base64: string } };
		result: { iv: string; data: string; tag: string };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.aesGcmDecrypt': {
		params: { key: string; iv: string; data: string; tag: string; additional?: { text: string } | { base64: string } };
		result: { base64: string };
	};
	/** SAFE, with the permission `crypto`. */
	'crypto.randomBytes': {
		params: { length: number };
		result: { base64: string };
	};
	/** MONITORED, with the permission `llm`. */
	'llm.chat': {
		params: { messages: readonly ({ role: "user" | "assistant" | "system"; content: string })[]; system?: string; maxTokens?: number; temperature?: number; model?: string; timeoutMs?: number };
		result: { text: string; model: string; end: "done" | "length" | "time"; usage: { inputTokens: number; outputTokens: number; estimated: boolean } };
	};
	/** MONITORED, with the permission `llm`. */
	'llm.oneshot': {
		params: { prompt: string; schema?: Readonly<Record<string, unknown>>; maxTokens?: number; model?: string; timeoutMs?: number };
		result: { text: string; model: string; end: "done" | "length" | "time"; usage: { inputTokens: number; outputTokens: number; estimated: boolean }; output: unknown };
	};
	/** SAFE, with the permission `llm`. */
	'llm.resolveTools': {
		params: { tools: readonly string[] };
		result: { tools: readonly ({ name: string; description: string; input_schema: Readonly<Record<string, unknown>> })[] };
	};
	/** MONITORED, with the permission `capabilities`. */
	'services.call': {
		params: { name: string; verb?: string; params?: Readonly<Record<string, unknown>>; app?: string; timeoutMs?: number };
		result: unknown;
	};
	/** SAFE, with the permission `capabilities`. */
	'services.listProviders': {
		params: { name: string };
		result: { providers: readonly ({ app_id: string; via?: string; urls?: readonly string[]; cred_state: "not_required" | "present" | "missing" })[] };
	};
	/** MONITORED, with the permission `llm`. */
	'agent.run': {
		params: { instructions?: string; prompt: string; tools?: readonly string[]; documents?: readonly ({ name: string; text: string })[]; schema?: Readonly<Record<string, unknown>>; budget?: { iterations?: number; tokens?: number; timeMs?: number }; temperature?: number; model?: string };
		result: { text: string; output: unknown; end: "done" | "iterations" | "tokens" | "time" | "badCalls" | "stuck" | "tooLong" | "empty" | "refused" | "filtered" | "badOutput" | "cut"; iterations: number; model: string; usage: { inputTokens: number; outputTokens: number; estimated: boolean }; toolCalls: readonly ({ tool: string; title: string; status: string })[] };
	};
	/** SAFE, with the permission `thread`. */
	'progress.report': {
		params: { message: string; fraction?: number };
		result: Readonly<Record<string, never>>;
	};
}
