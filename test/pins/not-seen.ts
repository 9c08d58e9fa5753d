/**
 * Moves of the tables that the gate does not see, and harmless changes that it stops, each with the reason. A test fails
 * where one of them is seen after all, so that the list stays true.
 */
export const movesNotSeen: Readonly<Record<string, readonly string[]>> = {
  'the release is put together from parts, or behind the names of a program': [
    'an input of a flake under another name',
    'an item of a lock that is taken in another way',
    'a part of a version for a recipe of just',
    'a part of a version that a script is given by --memory',
    'a part of a version that a script is given by -p',
    'a value of a file in which a script sets another',
    'an image of another name, spread into what is called Lightdash',
    'a tag of another image that a condition takes',
    'a part of a version for a function of a shell',
    'a version that a function of another script asks for',
    'a version that a script asks for, and is told by another',
    'a version in a file that a script also reads as a whole',
    'a version that a script asks for in the form of an image',
    'an item of a list that a script asks for by its name',
    'a version that is one word of the command that runs a script',
    'an image that a module of the repository is given',
    'a word that kustomize takes by a name with a hyphen',
  ],
  'another name is Lightdash only by what builds it or what is in it': [
    'what builds Lightdash for Skaffold',
    'the tag of an image that is built from Lightdash',
    'an image that is built from Lightdash in another folder',
    'the stage from which the image of a service is built',
    'another chart that has that of Lightdash in it',
    'a chart of the repository itself, beside that of Lightdash',
    'such a package in the lock of npm',
    'such a package in the lock of pnpm',
    'such a package in the lock of yarn',
  ],
  'an image without the name is Lightdash only by what another file says of its service, container or folder':
    [
      'a patch of a container with another image',
      'an addition to a quadlet',
      'an override of the image of a service',
      'a value that a kustomization in JSON puts into an image',
      'a base from a repository that is patched',
      'a base from a repository whose image has another name',
      'a patch that kustomize begins to take',
      'the first image of an object that is called so',
      'the first image of an object with such a label',
      'the image of a container that is given the secret of Lightdash',
      'the image of a container that is given what is called so',
      'the image of a container whose name ends so',
      'an image in a folder that is called so',
      'an override comes to a service whose map is written in one line',
    ],
  'what is deployed stands in the repository already, and goes on or is installed by a name that a chart chose':
    [
      'a Deployment that goes on',
      'a Kustomization that Flux goes on with',
      'a Kustomization that Flux goes on with, word for word',
      'the condition of a chart that is Lightdash',
      'another condition of a chart that is Lightdash',
      'the tag by which a chart that is Lightdash is installed',
    ],
  'the line says none of release, file, name and environment': [
    'a label whose anchor a parameter of Helm has',
    'a label whose anchor gives a name its release',
    'which part of its file a job of GitLab takes',
    'a lock that does not have the word',
    'the environment that a workflow is given',
    'lines that change places',
  ],
};

export const harmlessStopped: Readonly<Record<string, readonly string[]>> = {
  'another program is at exactly the release of Lightdash': [
    'an artifact of another program in a pipeline of Lightdash',
    'the tag of an unknown program',
    'kustomize, images of another program by an expression',
  ],
  'a release that can hardly be another program’s comes to a module or to rows that anything may read': [
    'a module that is spread elsewhere',
    'rows that dbt loads',
  ],
  'the line has the name of Lightdash, or of what deploys it': [
    'another image, and another chart, in a script with those of Lightdash',
  ],
};
