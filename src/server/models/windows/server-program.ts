/** Programs that serve models on machines of one's own, and by what one knows them. Nobody is asked for it. */
import { nonEmptyText } from '../../../base/text/lenient.ts';
import { objectOrEmpty, type JsonObject } from '../providers/loose-json.ts';

/** Program of a model server that can say how much context it has given a model. */
export type ModelServerProgram = 'ollama' | 'lmStudio' | 'llamaCpp';

export const PROGRAM_NAMES: Readonly<Record<ModelServerProgram, string>> = {
	ollama: 'Ollama',
	lmStudio: 'LM Studio',
	llamaCpp: 'llama.cpp',
};

export function isServerProgram(name: string): name is ModelServerProgram {
	return Object.hasOwn(PROGRAM_NAMES, name);
}

/** Program that lists a model so; undefined for everybody else. */
export function programListing(model: JsonObject): ModelServerProgram | undefined {
	switch (model['owned_by']) {
		case 'library':
			return 'ollama';
		case 'organization_owner':
			return 'lmStudio';
		case 'llamacpp':
			return 'llamaCpp';
		default:
			return undefined;
	}
}

/** Program whose answer begins so; undefined for everybody else. */
export function programAnswering(event: JsonObject): ModelServerProgram | undefined {
	const { system_fingerprint: fingerprint, model } = objectOrEmpty(event);
	if (fingerprint === 'fp_ollama') {
		return 'ollama';
	}
	const mark = nonEmptyText(fingerprint);
	if (mark !== undefined && mark === model) {
		return 'lmStudio';
	}
	// llama.cpp marks its answers with its build: a number and a commit.
	return mark !== undefined && /^b\d+-[\da-f]{7,12}$/.test(mark) ? 'llamaCpp' : undefined;
}
