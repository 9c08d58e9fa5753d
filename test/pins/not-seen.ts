/**
 * Moves of the tables that the gate does not see, and harmless changes that it stops, each with the reason. A test fails
 * where one of them is seen after all, so that the list stays true.
 */
export const movesNotSeen: Readonly<Record<string, readonly string[]>> = {
  'the release is put together from parts, or behind the names of a program': [
    'an image of another name, spread into what is called Lightdash',
    'a tag of another image that a condition takes',
    'a part of a version for a function of a shell',
    'a version that a function of another script asks for',
    'a version that a script asks for, and is told by another',
    'a version in a file that a script also reads as a whole',
    'a version that a script asks for in the form of an image',
    'an item of a list that a script asks for by its name',
    'a version that is one word of the command that runs a script',
  ],
  'another name is Lightdash only by what builds it or what is in it': [
    'what builds Lightdash for Skaffold',
    'the tag of an image that is built from Lightdash',
    'an image that is built from Lightdash in another folder',
    'the stage from which the image of a service is built',
    'an artifact of a stage of Spinnaker',
    'the artifact that a pipeline of Spinnaker expects',
    'another chart that has that of Lightdash in it',
    'a chart of the repository itself, beside that of Lightdash',
  ],
  'the line says none of release, file, name and environment': [
    'a lock that does not have the word',
    'the environment that a workflow is given',
  ],
};

export const harmlessStopped: Readonly<Record<string, readonly string[]>> = {
  'another program is at exactly the release of Lightdash': [
    'kustomize, images of another program by an expression',
  ],
  'a release that can hardly be another program’s comes to a module or to rows that anything may read': [
    'a module that is spread elsewhere',
    'rows that dbt loads',
  ],
  'it has the last name of what a reference takes its release from': ['another input of a flake'],
};
