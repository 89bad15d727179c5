/** `/goal <condition>` at the beginning of a message: work until the condition, which follows, holds. */
const GOAL_COMMAND = /^\/goal\s+(?=\S)/i;

export function isGoalCommand(message: string): boolean {
	return message.startsWith('/') && GOAL_COMMAND.test(message);
}

/** Words of the user behind the command. */
export function readGoalCondition(message: string): string {
	return message.replace(GOAL_COMMAND, '').replaceAll(/\s+/g, ' ').trim();
}
