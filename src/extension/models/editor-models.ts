/**
 * The editor's own models for the server: one answer is one `lm/run`, streamed as `lm/part`. Cancelling the request cancels
 * the model. The editor asks the user for consent at the first call; a refusal is an error of its own.
 */
import * as vscode from 'vscode';
import { ProwessError } from '../../protocol/errors/errors.ts';
import { lmNotifications, type lmRequests, type ModelInfo } from '../../protocol/turn/models.ts';
import type { ParamsOf } from '../../protocol/rpc/message.ts';
import { inEnglish } from '../../protocol/text/text.ts';
import type { Organisation } from '../../contract/ports/organisation.ts';
import type { Peer, RequestHandlers } from '../../protocol/rpc/peer.ts';
import { withToken } from '../editor/signals.ts';
import { toEditorMessages, toStreamedPart, parseEditorUsage } from './editor-messages.ts';
import { toTokenCount } from './token-count.ts';

const EDITOR_MODEL_PREFIX = 'editor/';

type EditorModelWishes = Pick<ParamsOf<typeof lmRequests.run>, 'temperature' | 'maxOutputTokens'>;

/** Without those that the organisation of the user does not allow. */
export async function listEditorModels(organisation: Organisation | undefined): Promise<ModelInfo[]> {
	const models = await vscode.lm.selectChatModels();
	const allowed = models.filter(({ id }) => organisation?.refusalOfEditorModel(id) === undefined);
	return allowed.map((model) => ({
		id: `${EDITOR_MODEL_PREFIX}${model.id}`,
		name: model.name,
		provider: 'editor',
		source: 'editor',
		...(toTokenCount(model.maxInputTokens) > 0 ? { contextWindow: toTokenCount(model.maxInputTokens) } : {}),
	}));
}

/** The two requests for one server; parts go back to the same. */
export function editorModelRequests(
	server: Peer,
	organisation: Organisation | undefined,
): RequestHandlers<typeof lmRequests> {
	return {
		list: async () => ({ models: await listEditorModels(organisation) }),

		run: async ({ requestId, modelId, messages, tools, ...wishes }, signal) => {
			const said = organisation?.refusalOfEditorModel(modelId);
			if (said !== undefined) throw new ProwessError('DENIED_BY_ORGANISATION', inEnglish(said), { said });
			const model = await findModel(modelId);
			const sent = toEditorMessages(messages);
			let answer = '';
			let usage: { inputTokens: number; outputTokens: number } | undefined;
			try {
				await withToken(signal, async (token) => {
					const response = await model.sendRequest(
						sent,
						{
							justification: vscode.l10n.t('Prowess answers your message with this model.'),
							modelOptions: toModelOptions(wishes),
							tools: tools.map(({ name, description, inputSchema }) => ({
								name,
								description,
								inputSchema: inputSchema as object,
							})),
						},
						token,
					);
					for await (const raw of response.stream) {
						const part = toStreamedPart(raw);
						usage = parseEditorUsage(raw) ?? usage;
						if (part !== undefined) {
							answer += part.kind === 'toolCall' ? JSON.stringify(part.input) : part.text;
							server.notify(lmNotifications.part, { requestId, part });
						}
					}
				});
				signal.throwIfAborted();
				return usage ?? (await countTokens(model, sent, answer, signal));
			} catch (error) {
				signal.throwIfAborted();
				throw modelError(modelId, error);
			}
		},
	};
}

/** The editor names no options: these are the names that the models of GitHub Copilot know. Others may not look at them. */
function toModelOptions({ temperature, maxOutputTokens }: EditorModelWishes): Record<string, number> {
	return {
		...(temperature === undefined ? {} : { temperature }),
		...(maxOutputTokens === undefined ? {} : { max_tokens: maxOutputTokens }),
	};
}

async function findModel(modelId: string): Promise<vscode.LanguageModelChat> {
	const id = modelId.startsWith(EDITOR_MODEL_PREFIX) ? modelId.slice(EDITOR_MODEL_PREFIX.length) : modelId;
	const [model] = await vscode.lm.selectChatModels({ id });
	if (model === undefined) {
		throw new ProwessError('MODEL_NOT_FOUND', `the editor has no model ${JSON.stringify(id)}`, { modelId });
	}
	return model;
}

/** The stable API tells no usage: the model's own counter stands in, and the server marks the figures as estimated. */
async function countTokens(
	model: vscode.LanguageModelChat,
	sent: readonly vscode.LanguageModelChatMessage[],
	answer: string,
	signal: AbortSignal,
): Promise<{ inputTokens: number; outputTokens: number }> {
	try {
		return await withToken(signal, async (token) => {
			const counts = await Promise.all([...sent, answer].map((text) => model.countTokens(text, token)));
			return {
				inputTokens: toTokenCount(counts.slice(0, -1).reduce((sum, count) => sum + count, 0)),
				outputTokens: toTokenCount(counts.at(-1) ?? 0),
			};
		});
	} catch {
		// A counter that fails costs the answer nothing: the server estimates by itself from zero.
		return { inputTokens: 0, outputTokens: 0 };
	}
}

function modelError(modelId: string, error: unknown): ProwessError {
	const message = error instanceof Error ? error.message : String(error);
	if (error instanceof vscode.LanguageModelError) {
		switch (error.code) {
			case vscode.LanguageModelError.NoPermissions.name:
				return new ProwessError(
					'MODEL_CONSENT_REFUSED',
					`${modelId}: the editor may not use this model: ${message}`,
					{ modelId },
					error,
				);
			case vscode.LanguageModelError.NotFound.name:
				return new ProwessError('MODEL_NOT_FOUND', `${modelId}: ${message}`, { modelId }, error);
			case vscode.LanguageModelError.Blocked.name:
				return new ProwessError(
					'PROVIDER_RATE_LIMITED',
					`${modelId}: blocked by the editor: ${message}`,
					{ modelId },
					error,
				);
		}
	}
	return new ProwessError('PROVIDER_ERROR', `${modelId}: ${message}`, { modelId }, error);
}
