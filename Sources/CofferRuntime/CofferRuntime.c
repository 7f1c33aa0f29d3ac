#include "CofferRuntime.h"

int coffer_observation_depth = 0;
