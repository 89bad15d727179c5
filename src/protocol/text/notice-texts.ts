/** Texts that the server adds to a thread on its own, in English; each text is also the key of its translation. */
export const NOTICE_TEXTS = {
	stopped: 'This turn was stopped.',
	interrupted: 'This turn was interrupted. Nothing was repeated.',
	interruptedAgain:
		'This thread was interrupted several times in a row. Nothing was repeated, and going on the same way is not offered any more. Say it differently, or fork the thread before the message that began it.',
	takenOver: 'The turn was stopped because this thread was taken over elsewhere.',
	shortened:
		"This thread no longer fits the model's context. Older messages were shortened or left out for the model. Your task and the project's instructions are kept.",
	nothingToCompact: 'This thread has no older messages to summarize.',
	brokeOff: 'The connection to the model was lost. The answer continues from there.',
	callsInText:
		'This model does not accept tools the usual way, so its calls are read from its text. A model made for tools works better.',
	callsWritten:
		'This model writes its calls of tools as text, so they are read from its text. To show that text instead, set calls to native for it in prowess.models.settings. If you run the model server yourself, look for its tool parser.',
	smallWindow:
		'Ollama runs this model with less context than it can take, and silently cuts what does not fit. To give it more, set contextWindow for it in prowess.models.settings, or OLLAMA_CONTEXT_LENGTH for Ollama.',
	imagesLeftOut: 'This model does not accept pictures, so they were left out. It was told that there were some.',
	effortLeftOut: 'This model does not take the chosen effort of thinking, so it thinks as it does by itself.',
	hookedOn: 'A hook does not let the agent end here yet, so it goes on.',
	goal: 'Several steps: you see a plan of at most 8 steps before anything of it begins.',
	script: 'The same steps for many things: the agent writes one script for all of them, which you see before it runs.',
	mayPlan: 'This can also be worked on as a goal, in steps of a plan that you see first.',
	mayRepeat: 'This was done once, now. It can also run at the time that your message names.',
	withoutModel: 'Answered without a model.',
	tooLong: "The response reached the model's length limit. Part of it is missing.",
	unknownEnd: 'The model ended this answer for a reason that is not known. Part of it may be missing.',
} as const;
