/** Approvals and questions as an editor is asked them. An answer counts only where the question offered it. */
import type {
	ClientCapabilities,
	CreateElicitationRequest,
	PermissionOption,
	RequestPermissionRequest,
} from '@agentclientprotocol/sdk';
import type { ApprovalAnswer, Approval, DeskQuestion } from '../../protocol/approvals/approvals.ts';
import { toolName } from '../../protocol/op-table/op-tool.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import * as z from '../../protocol/text/zod.ts';
import { patchDiffs } from './patch-diffs.ts';
import { isSecondVersion } from './second-version/marks.ts';
import { type SessionFolder, toEditorPath } from './session-folder.ts';
import { toTextContent, toolKind } from './thread-updates.ts';

export type AskedPermission = Omit<RequestPermissionRequest, 'sessionId'>;

/** Answers by the ids that the editor is given. */
const ALLOWING_ANSWERS: Readonly<Record<string, ApprovalAnswer>> = {
	once: { kind: 'once' },
	turn: { kind: 'turn' },
	thread: { kind: 'thread' },
	project: { kind: 'project' },
	always: { kind: 'always' },
	deny: { kind: 'deny' },
};

/** `words`: the whole of what would happen, as a person at the terminal reads it. */
export function permissionFor(
	approval: Approval,
	words: string,
	folder: SessionFolder,
	capabilities: ClientCapabilities = {},
): AskedPermission {
	const { detail, title, opId, op } = approval;
	const files = detail.kind === 'diff' ? [detail.diff] : detail.kind === 'diffs' ? detail.diffs : [];
	const isWhole = isSecondVersion(capabilities);
	const diffs = files.flatMap((diff) => patchDiffs(diff, toEditorPath(folder, diff.path), isWhole));
	return {
		toolCall: {
			toolCallId: opId,
			title,
			kind: toolKind(toolName(op)),
			status: 'pending',
			content: [...diffs, toTextContent(words)],
		},
		options: permissionOptions(approval),
	};
}

function permissionOptions({ isOnceOffered, turnScope, threadScope, pattern, isProjectOffered }: Approval) {
	const toOption = (optionId: string, name: string, kind: PermissionOption['kind']): PermissionOption => ({
		optionId,
		name,
		kind,
	});
	return [
		...(isOnceOffered ? [toOption('once', 'Allow once', 'allow_once')] : []),
		...(turnScope === undefined ? [] : [toOption('turn', `In this turn: ${inEnglish(turnScope)}`, 'allow_always')]),
		...(threadScope === null ? [] : [toOption('thread', `In this thread: ${inEnglish(threadScope)}`, 'allow_always')]),
		...(pattern === null
			? []
			: isProjectOffered
				? [toOption('project', `Always in this project: ${pattern}`, 'allow_always')]
				: [toOption('always', `Always: ${pattern}`, 'allow_always')]),
		toOption('deny', 'Deny', 'reject_once'),
	];
}

const PermissionAnswer = z.object({
	outcome: z.discriminatedUnion('outcome', [
		z.object({ outcome: z.literal('cancelled') }),
		z.object({ outcome: z.literal('selected'), optionId: z.string().max(200) }),
	]),
});

/** Id of the option that was chosen; undefined: none, or what came is no answer. */
export function chosenOption(answer: unknown): string | undefined {
	const parsed = PermissionAnswer.safeParse(answer);
	return parsed.success && parsed.data.outcome.outcome === 'selected' ? parsed.data.outcome.optionId : undefined;
}

/** Undefined where nothing was chosen: then nobody has answered. */
export function approvalAnswer(chosen: string | undefined): ApprovalAnswer | undefined {
	return chosen !== undefined && Object.hasOwn(ALLOWING_ANSWERS, chosen) ? ALLOWING_ANSWERS[chosen] : undefined;
}

/** A question with answers to choose from, for editors that have no forms. */
export function questionAsPermission({ question, options, opId }: DeskQuestion): AskedPermission {
	return {
		toolCall: { toolCallId: opId, title: question, kind: 'other', status: 'pending' },
		options: [
			...options.map((name, index): PermissionOption => ({ optionId: `answer-${index}`, name, kind: 'allow_once' })),
			{ optionId: 'none', name: 'Do not answer', kind: 'reject_once' },
		],
	};
}

export function chosenAnswer(chosen: string | undefined, { options }: DeskQuestion): string | undefined {
	return options.find((_, index) => `answer-${index}` === chosen);
}

/** `asked` of a form: the agent's own words come first, marked as such. */
export function questionForm({ question, options, opId, isOurs, server }: DeskQuestion, sessionId: string) {
	const asker =
		isOurs === true ? 'Prowess asks' : server === undefined ? 'The agent asks' : `The MCP server ${server} asks`;
	return {
		mode: 'form',
		sessionId,
		toolCallId: opId,
		message: `${asker}: ${question}`,
		requestedSchema: {
			type: 'object',
			properties: {
				answer: {
					type: 'string',
					title: 'Answer',
					...(options.length === 0 ? {} : { description: `For example: ${options.join(' · ')}` }),
				},
			},
			required: ['answer'],
		},
	} as const satisfies CreateElicitationRequest;
}

const EditorForm = z.object({ action: z.literal('accept'), content: z.object({ answer: z.string().max(20_000) }) });

export function readFormAnswer(answer: unknown): string | undefined {
	const parsed = EditorForm.safeParse(answer);
	const text = parsed.success ? parsed.data.content.answer.trim() : '';
	return text === '' ? undefined : text;
}

const TRUST_CALL = 'prowess-trust';

/** The folder is asked about before anything in it is read. */
export function trustQuestion(folder: string): AskedPermission {
	return {
		toolCall: {
			toolCallId: TRUST_CALL,
			title: `Trust the folder ${folder}?`,
			kind: 'other',
			status: 'pending',
			content: [toTextContent('Files of a trusted folder can control what runs. Nothing in it has been read yet.')],
		},
		options: [
			{ optionId: 'trust', name: 'Trust this folder from now on', kind: 'allow_always' },
			{ optionId: 'deny', name: 'Do not trust it', kind: 'reject_once' },
		],
	};
}
