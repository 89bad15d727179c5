/** Runs the stories about changes of an agent, commands that run and links in answers; they take turns in one window. */
import { inOneWindow } from '../harness/one-window.ts';
import { links } from './edits/links.ts';
import { runningCommand } from './edits/running-command.ts';
import { selectedLines } from './edits/selected-lines.ts';
import { turn } from './edits/turn.ts';

// Without GPU acceleration the text that a terminal draws is in the page.
const settings = { 'prowess.approvals.level': 'ask', 'terminal.integrated.gpuAcceleration': 'off' };

inOneWindow('In a window for changes', settings, [turn, selectedLines, links, runningCommand]);
